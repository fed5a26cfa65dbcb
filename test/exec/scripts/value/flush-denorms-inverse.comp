// SPDX-License-Identifier: MIT
// DenormFlushToZero, 64 bits: an inverse matrix with a denormal element, a modulus, parts of numbers
// that are put together of words (which are moved as they are).
//! requires shaderFloat64 shaderInt64
//! buffer 0.0 f64 : 8.98846567431158e307 1 bits(0x1)
//! buffer 0.1 u64 : 7*8
//! expect 0.1 u64 : 0 0 0 0 1 1 0 7
//! skip lavapipe: has no DenormFlushToZero
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4465], 4460, 64);
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer X { double x[]; };
layout(set = 0, binding = 1) buffer R { uint64_t r[]; };
void main() {
  double big = 8.98846567431158e307lf, least = packDouble2x32(uvec2(1, 0)), whole;
  r[0] = doubleBitsToUint64(inverse(dmat2(big, 0, 0, 1))[0][0]);
  r[1] = doubleBitsToUint64(inverse(dmat2(x[0], 0, 0, x[1]))[0][0]);
  r[2] = doubleBitsToUint64(modf(least, whole));
  r[3] = doubleBitsToUint64(modf(x[2], whole));
  r[4] = doubleBitsToUint64(least);
  r[5] = doubleBitsToUint64(packDouble2x32(unpackDouble2x32(x[2])));
  r[6] = doubleBitsToUint64(whole);
}

// SPDX-License-Identifier: MIT
// DenormFlushToZero of 16 bits: halves that are packed and unpacked are no operands or results of their instructions, but denormal all
// the same. Numbers known when it is compiled, and only when it runs.
//! requires shaderFloat16 storageBuffer16BitAccess
//! spec 0 u32 0x03f083f0
//! spec 1 f32 6.00815e-05
//! buffer 0.0 u32 : 0x03f083f0 0x387c0000
//! buffer 0.1 u32 : 99*8
//! expect 0.1 u32 : 0x80000000 0 0 0x80000000 0 0 0 99
//! skip lavapipe: has no DenormFlushToZero
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4465], 4460, 16);
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint halves = 1;
layout(constant_id = 1) const float small = 1;
layout(set = 0, binding = 0) readonly buffer X { uint x[2]; };
layout(set = 0, binding = 1) writeonly buffer R { uint r[8]; };
void main() {
  vec2 known = unpackHalf2x16(halves);
  r[0] = floatBitsToUint(known.x), r[1] = floatBitsToUint(known.y);
  r[2] = packHalf2x16(vec2(small));
  vec2 read = unpackHalf2x16(x[0]);
  r[3] = floatBitsToUint(read.x), r[4] = floatBitsToUint(read.y);
  r[5] = packHalf2x16(vec2(uintBitsToFloat(x[1])));
  r[6] = packHalf2x16(vec2(uintBitsToFloat(x[1]), small));
}

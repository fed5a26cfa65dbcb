// SPDX-License-Identifier: MIT
// DenormFlushToZero: functions whose result would be a denormal number, as in flush-denorms.comp.
//! requires shaderFloat16 storageBuffer16BitAccess
//! foreach W 16 32
//! spec 0 f${W} bits(0x1)
//! buffer 0.0 f${W} : bits(0x1) 1 2
//! buffer 0.1 f${W} : 7*32
//! expect 0.1 f${W} : 0*30 7 7
//! skip lavapipe: has no DenormFlushToZero
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4465], 4460, ${W});
#define f16 float16_t
#define f32 float
#define f16m2 f16mat2
#define f32m2 mat2
#define bits_f16(v) float16BitsToUint16(v)
#define bits_f32(v) floatBitsToUint(v)
#define number_f16 uint16BitsToFloat16
#define number_f32 uintBitsToFloat
#define word_f16 uint16_t
#define word_f32 uint
// The reciprocal of `big` is denormal.
#define big_f16 32768.0hf
#define big_f32 1.7014118346046923e38
#define least_f16 -15.0hf
#define least_f32 -127.0
layout(local_size_x = 1) in;
layout(constant_id = 0) const f${W} constant = f${W}(1);
layout(constant_id = 1) const f${W} constantOne = f${W}(1);
layout(constant_id = 2) const f${W} constantTwo = f${W}(2);
layout(set = 0, binding = 0) readonly buffer X { f${W} x[]; };
layout(set = 0, binding = 1) buffer R { f${W} r[]; };
uint at = 0;
void put(f${W} v) { r[at++] = number_f${W}(bits_f${W}(v) & word_f${W}(~word_f${W}(0) >> 1)); }
#define EACH(d, one, two) \
  put(sin(d)); \
  put(tan(d)); \
  put(sinh(d)); \
  put(asin(d)); \
  put(atan(d)); \
  put(atanh(d)); \
  put(exp2(least_f${W} * one)); \
  put(pow(two, least_f${W} * one)); \
  put(radians(d)); \
  put(inverse(f${W}m2(big_f${W} * one, 0, 0, one))[0][0]);
void main() {
  EACH(constant, constantOne, constantTwo)
  f${W} d = constant, one = constantOne, two = constantTwo;
  EACH(d, one, two)
  EACH(x[0], x[1], x[2])
}

// SPDX-License-Identifier: MIT
// DenormFlushToZero: no instruction that the mode covers gives a denormal, whether its operands are
// known when it is compiled (specialization constants, variables) or not. Each result is the least
// denormal number unless it is flushed; what is stored are the results without their signs.
//! requires shaderFloat16 shaderFloat64 storageBuffer16BitAccess
//! foreach W 16 32 64
//! spec 0 f${W} bits(0x1)
//! buffer 0.0 f${W} : bits(0x1) 1 0.5
//! buffer 0.1 f${W} : 7*104
//! expect 0.1 f${W} : 0*102 7 7
//! skip lavapipe: has no DenormFlushToZero
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4465], 4460, ${W});
#define f16 float16_t
#define f32 float
#define f64 double
#define f16v2 f16vec2
#define f32v2 vec2
#define f64v2 dvec2
#define f16v3 f16vec3
#define f32v3 vec3
#define f64v3 dvec3
#define f16m2 f16mat2
#define f32m2 mat2
#define f64m2 dmat2
#define bits_f16(v) uint16_t(float16BitsToUint16(v))
#define bits_f32(v) floatBitsToUint(v)
#define bits_f64(v) doubleBitsToUint64(v)
#define number_f16 uint16BitsToFloat16
#define number_f32 uintBitsToFloat
#define number_f64 uint64BitsToDouble
#define word_f16 uint16_t
#define word_f32 uint
#define word_f64 uint64_t
layout(local_size_x = 1) in;
layout(constant_id = 0) const f${W} constant = f${W}(1);
layout(set = 0, binding = 0) readonly buffer X { f${W} x[]; };
layout(set = 0, binding = 1) buffer R { f${W} r[]; };
uint at = 0;
// Not abs(), which is one of the instructions.
void put(f${W} v) {
  r[at++] = number_f${W}(bits_f${W}(v) & word_f${W}(~word_f${W}(0) >> 1));
}
void put(f${W}v2 v) { put(v.x); put(v.y); }
void put(f${W}m2 m) { put(m[0]); put(m[1]); }
#define EACH(d, one, half) \
  put(d * one); \
  put(d + f${W}(0)); \
  put(d - f${W}(0)); \
  put(d / one); \
  put(-d); \
  put(abs(d)); \
  put(min(d, one)); \
  put(max(d, -one)); \
  put(clamp(d, f${W}(0), one)); \
  put(mix(d, d, half)); \
  put(mix(d, one, f${W}(0))); \
  put(fma(d, one, f${W}(0))); \
  put(fract(d)); \
  put(length(d)); \
  put(dot(f${W}v2(d, 0), f${W}v2(one, 0))); \
  put(f${W}v2(d) * one); \
  put(f${W}m2(d, 0, 0, d) * one); \
  put(f${W}m2(one, 0, 0, one) * f${W}v2(d)); \
  put(f${W}v2(d) * f${W}m2(one, 0, 0, one)); \
  put(f${W}m2(d, d, d, d) * f${W}m2(one, 0, 0, one)); \
  put(cross(f${W}v3(d, 0, 0), f${W}v3(0, one, 0)).z); \
  put(faceforward(d, one, one)); \
  put(min(f${W}v2(d), f${W}v2(d))); \
  put(determinant(f${W}m2(d, 0, 0, one)));
void main() {
  // The operands are constants of the module,
  EACH(constant, f${W}(1), f${W}(0.5))
  uint count = at;
  // variables that hold constants,
  f${W} d = constant, one = f${W}(1), half_ = f${W}(0.5);
  EACH(d, one, half_)
  // and what no one knows.
  EACH(x[0], x[1], x[2])
  if (at != 3 * count || count != 34)
    r[0] = f${W}(at);
}

// SPDX-License-Identifier: MIT
// DenormFlushToZero: every instruction that the mode covers takes denormal operands as zeros, whether
// they are known when the shader is compiled (specialization constants, variables) or not. Results
// would be ordinary numbers, or other truths, if the operand were not flushed; what is stored are
// the results without their signs.
//! requires shaderFloat16 shaderFloat64 storageBuffer16BitAccess
//! foreach W 16 32 64
//! spec 0 f${W} bits(0x1)
//! buffer 0.0 f${W} : bits(0x1)
//! buffer 0.1 f${W} : 7*74
//! expect 0.1 f${W} : 0*72 7 7
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
// The least denormal times these is an ordinary number; the other is ordinary, and near it.
#define large_f16 32768.0hf
#define large_f32 1.7014118346046923e38
#define large_f64 8.98846567431158e307lf
#define small_f16 number_f16(uint16_t(0x0400))
#define small_f32 number_f32(0x00800000u)
#define small_f64 number_f64(0x0010000000000000ul)
void put(f${W} v) {
  r[at++] = number_f${W}(bits_f${W}(v) & word_f${W}(~word_f${W}(0) >> 1));
}
void put(bool v) { r[at++] = v ? f${W}(1) : f${W}(0); }
#define EACH(d) \
  put(d > f${W}(0)); \
  put(d != f${W}(0)); \
  put(f${W}(0) < d); \
  put(!(d <= f${W}(0))); \
  put(any(greaterThan(f${W}v2(d), f${W}v2(0)))); \
  put(d * large_f${W}); \
  put(d * large_f${W} != f${W}(0)); \
  put((f${W}v2(d) * large_f${W}).y); \
  put(fma(d, large_f${W}, f${W}(0))); \
  put(dot(f${W}v2(d), f${W}v2(large_f${W}))); \
  put(d / small_f${W}); \
  put(ceil(d)); \
  put(sign(d)); \
  put(sqrt(d)); \
  put(f${W}(1) - step(d, f${W}(0))); \
  put(length(f${W}v2(d)) * large_f${W}); \
  put(mix(f${W}(0), large_f${W}, d)); \
  put(CONVERTED_${W}(d) != 0);
// Float to float: a wider one has the number itself. There is none wider than 64 bits.
#define CONVERTED_16(d) double(d)
#define CONVERTED_32(d) double(d)
#define CONVERTED_64(d) (d)
void main() {
  EACH(constant)
  uint count = at;
  f${W} d = constant;
  EACH(d)
  EACH(x[0])
  // The vector of one constant and one that is not known.
  for (int i = 0; i < 2; ++i) {
    f${W}v2 v = f${W}v2(constant, x[0]);
    put(v[i] * large_f${W}); put(v[i] > f${W}(0)); put((v * large_f${W})[i]); put(dot(v, v.yx) * large_f${W});
    put(f${W}(notEqual(v, f${W}v2(0))[i] ? 1 : 0)); put(max(v[i] * large_f${W}, f${W}(0)));
    put(ceil(v)[i]); put(sign(v)[i]); put(f${W}(0));
  }
  if (at != 4 * count || count != 18)
    r[0] = f${W}(at);
}

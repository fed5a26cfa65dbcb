// SPDX-License-Identifier: MIT
// RoundingModeRTZ of integers that become floats, known when the shader is compiled (specialization
// constants, variables) or not. Floats with P bits lie 4 apart at 2^(P+1): 3 more than that is nearer
// to the next one. What is too large becomes the largest float, not infinity. Stored are distances
// from the right result.
//! requires shaderFloat16 shaderFloat64 shaderInt16 shaderInt64 storageBuffer16BitAccess
//! foreach W 16 32 64
//! spec 0 i64 1
//! buffer 0.0 i64 : 1
//! buffer 0.1 f${W} : 7*38
//! expect 0.1 f${W} : 0*36 7 7
//! skip lavapipe: has no RoundingModeRTZ
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4468], 4463, ${W});
#define f16 float16_t
#define f32 float
#define f64 double
#define f16v2 f16vec2
#define f32v2 vec2
#define f64v2 dvec2
#define P_16 11
#define P_32 24
#define P_64 53
layout(local_size_x = 1) in;
layout(constant_id = 0) const int64_t constant = 2l;
layout(set = 0, binding = 0) readonly buffer X { int64_t x[]; };
layout(set = 0, binding = 1) buffer R { f${W} r[]; };
uint at = 0;
const f${W} base = f${W}(1l << (P_${W} + 1));
void put(f${W} v, f${W} from) { r[at++] = v - from; }
#define LARGE(one) { \
  put(f${W}((one << (P_${W} + 1)) + 3l), base); \
  put(f${W}(-((one << (P_${W} + 1)) + 3l)), -base); \
  put(f${W}(uint64_t((one << (P_${W} + 1)) + 3l)), base); \
  put(f${W}v2(i64vec2((one << (P_${W} + 1)) + 3l)).y, base); \
  put(f${W}(one), f${W}(1)); \
  put(f${W}(one - one), f${W}(0)); }
#if ${W} == 64
#define SMALL(one) for (int i = 0; i < 6; ++i) put(f${W}(one), f${W}(1));
#else
#define SMALL(one) { \
  put(f${W}(int((one << (P_${W} + 1)) + 3l)), base); \
  put(f${W}(-int((one << (P_${W} + 1)) + 3l)), -base); \
  put(f${W}(uint((one << (P_${W} + 1)) + 3l)), base); \
  MORE_${W}(one) }
#define MORE_32(one) \
  put(f${W}(int(one) << 31), f${W}(-2147483648.0)); \
  put(f${W}((uint(one) << 31) + ((uint(one) << 31) - 1u)), f${W}(4294967040.0)); \
  put(f${W}(int(one) * -2147483647), f${W}(-2147483520.0));
#define MORE_16(one) \
  put(f${W}(int16_t(one) * int16_t(4099)), base); \
  put(f${W}(int(one) * 70000), f${W}(65504)); \
  put(f${W}(one * -70000l), f${W}(-65504));
#endif
void main() {
  LARGE(constant)
  SMALL(constant)
  int64_t one = constant;
  LARGE(one)
  SMALL(one)
  LARGE(x[0])
  SMALL(x[0])
}

// SPDX-License-Identifier: MIT
// RoundingModeRTZ: results round toward zero whether their operands are known when the shader is
// compiled (specialization constants, variables) or not. What is stored are units in the last place
// that results are away from a number near them; rounded to nearest, all would be 1 larger.
//! requires shaderFloat16 shaderFloat64 storageBuffer16BitAccess
//! foreach W 16 32 64
//! spec 0 f${W} 1
//! buffer 0.0 f${W} : 1
//! buffer 0.1 f${W} : 7*50
//! expect 0.1 f${W} : 1*45 0*3 7 7
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
#define f16m2 f16mat2
#define f32m2 mat2
#define f64m2 dmat2
// The distance of 1 to the next larger number.
#define unit_f16 0.0009765625hf
#define unit_f32 1.1920928955078125e-7
#define unit_f64 2.220446049250313e-16lf
layout(local_size_x = 1) in;
layout(constant_id = 0) const f${W} constant = f${W}(2);
layout(set = 0, binding = 0) readonly buffer X { f${W} x[]; };
layout(set = 0, binding = 1) buffer R { f${W} r[]; };
uint at = 0;
const f${W} unit = unit_f${W};
void put(f${W} v, f${W} from) {
  precise f${W} distance = v - from; // not contracted with the product that v may be
  r[at++] = distance * (f${W}(1) / unit);
}
void put(f${W}v2 v, f${W} from) { put(v.x, from); put(v.y, from); }
// (1 + unit) * 1.5 is 1.5 + 1.5 units; 1 - unit / 8 lies above 1 - unit / 2, the number before 1.
#define EACH(one) { \
  f${W} a = one + unit, b = one * f${W}(1.5); \
  put(a * b, f${W}(1.5)); \
  put((one - unit * f${W}(0.125)) * f${W}(2), f${W}(2) - f${W}(2) * unit); \
  put(fma(a, b, f${W}(0)), f${W}(1.5)); \
  put(f${W}v2(a) * b, f${W}(1.5)); \
  put(dot(f${W}v2(a, 0), f${W}v2(b, 0)), f${W}(1.5)); \
  put(f${W}m2(a, a, a, a)[0] * b, f${W}(1.5)); \
  put(f${W}m2(a, 0, 0, a) * f${W}v2(b), f${W}(1.5)); \
  put(f${W}v2(b) * f${W}m2(a, 0, 0, a), f${W}(1.5)); \
  put((f${W}m2(a, a, a, a) * f${W}m2(b, 0, 0, b))[1], f${W}(1.5)); \
  put(mix(f${W}(0), a, b), f${W}(1.5)); }
void main() {
  EACH(constant)
  f${W} one = constant;
  EACH(one)
  EACH(x[0])
  // Sums.
  put(constant + unit * f${W}(0.75), f${W}(1));
  put(one + unit * f${W}(0.75), f${W}(1));
  put(x[0] + unit * f${W}(0.75), f${W}(1));
}

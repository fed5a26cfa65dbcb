// SPDX-License-Identifier: MIT
// Where signed zeros are kept, 0 - x of either zero is +0, as the operand of anything: it is not -x.
// The same for -x + 0 and fma(x, -1, 0).
//! requires shaderFloat16 shaderFloat64 storageBuffer16BitAccess
//! foreach W 16 32 64
//! buffer 0.0 f${W} : 0 -0 1 -2 -0
//! buffer 0.1 f${W} : 7*48
//! expect 0.1 f${W} :
//! ... inf inf -1 0.5 0 0 -2 4 0 0 -1 2 0 0 -1 2 0 0 -2 4 0 0 -1 2
//! ... 0 0 -1 2 0 0 -1 2 -0 -0 1 -2 0 0 -2 4 0 0 -2 4 0 0 -1 2
//! skip lavapipe: takes 0 - x for -x, too
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, ${W});
#define f16 float16_t
#define f32 float
#define f64 double
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer X { f${W} x[]; };
layout(set = 0, binding = 1) buffer R { f${W} r[]; };
uint at = gl_LocalInvocationIndex;
void put(f${W} v) { r[at] = v; at += 4; }
void main() {
  f${W} v = x[gl_LocalInvocationIndex], negative = x[4];
  f${W} z = f${W}(0) - v;
  put(f${W}(1) / z);
  put(z * f${W}(2));
  put(z + negative);
  put(trunc(z));
  put(fma(z, f${W}(2), negative));
  put(fma(negative, f${W}(2), z));
  put(max(z, f${W}(-5)));
  put(floor(z));
  put(-z);
  put(fma(v, f${W}(-1), f${W}(0)) * f${W}(2));
  put((-v + f${W}(0)) * f${W}(2));
  put(z);
}

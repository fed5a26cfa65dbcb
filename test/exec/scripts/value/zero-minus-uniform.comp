// SPDX-License-Identifier: MIT
// 0 - x of values that all invocations share, and of pairs of halves, where signed zeros are kept.
//! requires shaderFloat16 storageBuffer16BitAccess
//! foreach W 16 32
//! buffer 0.0 f32 : 0 -0 2 -0
//! buffer 0.1 f16 : 0 -0 -0 0
//! buffer 0.2 f32 : 7*6
//! expect 0.2 f32 : 0 0 inf inf 0 0
//! skip lavapipe: takes 0 - x for -x, too
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, ${W});
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) readonly buffer H { f16vec2 h[]; };
layout(set = 0, binding = 2) buffer R { float r[]; };
void main() {
#if ${W} == 32
  r[0] = (0.0 - x[0]) * x[2];
  r[1] = (0.0 - x[1]) * x[2];
  r[2] = 1.0 / (0.0 - x[0]);
  r[3] = 1.0 / (0.0 - x[1]);
  r[4] = (0.0 - x[0]) + x[3];
  r[5] = (0.0 - x[1]) + x[3];
#else
  f16vec2 z = f16vec2(0) - h[0], w = f16vec2(0) - h[1];
  f16vec2 product = z * f16vec2(float16_t(x[2]));
  r[0] = float(product.x);
  r[1] = float(product.y);
  r[2] = 1.0 / float(z.x);
  r[3] = 1.0 / float(z.y);
  f16vec2 sum = w + f16vec2(float16_t(x[3]));
  r[4] = float(sum.x);
  r[5] = float(sum.y);
#endif
}

// SPDX-License-Identifier: MIT
// Derivatives in quads of four invocations that follow each other, of scalars and vectors.
//! skip validation: glslang writes the older NV name of the extension
//! requires VK_KHR_compute_shader_derivatives computeDerivativeGroupLinear
//! subgroup 32 64
//! buffer 0.0 f32 : 0*384
//! expect 0.0 f32 : eval 384 {
//! ...  i%4 == 0 ? (i/4 | 1) * (i/4 | 1) - (i/4 & ~1) * (i/4 & ~1) :
//! ...  i%4 == 1 ? (i/4 | 2) * (i/4 | 2) - (i/4 & ~2) * (i/4 & ~2) :
//! ...  i%4 == 2 ? -2.0 : 4.0 }
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 24, local_size_y = 4) in;
layout(derivative_group_linearNV) in;
layout(set = 0, binding = 0) buffer R { float r[]; };
void main() {
  float n = float(gl_LocalInvocationIndex);
  uint i = 4 * gl_LocalInvocationIndex;
  vec3 v = vec3(n * n, -2 * n, 2 * n);
  r[i] = dFdxFine(v).x;
  r[i + 1] = dFdyFine(v).x;
  r[i + 2] = dFdx(v).y;
  r[i + 3] = dFdy(v).z;
}

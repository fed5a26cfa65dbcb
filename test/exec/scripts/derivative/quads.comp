// SPDX-License-Identifier: MIT
// Derivatives in quads of 2x2 invocations of the workgroup: fine ones per row and column, coarse
// ones the same in the whole quad. The formula is linear in x with a slope of its own in each quad,
// and has a product of x and y, so that rows and columns differ.
//! skip validation: glslang writes the older NV name of the extension
//! requires VK_KHR_compute_shader_derivatives computeDerivativeGroupQuads
//! subgroup 32 64
//! dispatch 2
//! buffer 0.0 f32 : 0*768
//! expect 0.0 f32 : eval 768 {
//! ...  i%6 == 0 ? 3.0 + i/6%64/8 :
//! ...  i%6 == 1 ? 5.0 + i/6%8 :
//! ...  i%6 == 2 ? 3.0 + i/6%64/8/2*2 :
//! ...  i%6 == 3 ? 5.0 + i/6%8/2*2 :
//! ...  i%6 == 4 ? 8.0 + i/6%64/8 + i/6%8 :
//! ...  1 }
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;
layout(set = 0, binding = 0) buffer R { float r[]; };
void main() {
  vec2 p = vec2(gl_LocalInvocationID.xy);
  uint i = 6 * (gl_WorkGroupID.x * 64 + gl_LocalInvocationID.y * 8 + gl_LocalInvocationID.x);
  float v = 3 * p.x + 5 * p.y + p.x * p.y;
  r[i] = dFdxFine(v);
  r[i + 1] = dFdyFine(v);
  // Coarse ones may be those of any row or column of the quad.
  float x = dFdxCoarse(v), y = dFdyCoarse(v), row = floor(p.y / 2) * 2, column = floor(p.x / 2) * 2;
  r[i + 2] = x == 3 + row || x == 4 + row ? 3 + row : -1;
  r[i + 3] = y == 5 + column || y == 6 + column ? 5 + column : -1;
  r[i + 4] = fwidthFine(v);
  float a = dFdx(v), b = dFdy(v), c = fwidth(v), d = fwidthCoarse(v);
  bool isRight = (a == 3 + row || a == 4 + row) && (b == 5 + column || b == 6 + column) &&
                 c >= 8 + row + column && c <= 10 + row + column && d == x + y;
  r[i + 5] = isRight ? 1 : 0;
}

// SPDX-License-Identifier: MIT
// std140, std430 and scalar layouts of the same structure: members land where the rules say.
//! requires scalarBlockLayout
//! buffer 0.0 uniform f32 : 1 0 0 0  2 3 4 5  6 7 8 0  9 0 0 0  10 0 0 0  11 0 0 0  12 13 14 0  15 16 17 0
//! buffer 0.1 storage f32 : 1 0 0 0  2 3 4 5  6 7 8 9  10 11 0 0  12 13 14 0  15 16 17 0
//! buffer 0.2 storage f32 : 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
//! buffer 0.3 f32 : 0*51
//! expect 0.3 f32 : 1..17 1..17 1..17
#version 450
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
struct S { float x; vec4 v; vec3 w; float list[3]; mat2x3 m; };
layout(set = 0, binding = 0, std140) uniform A { S a; };
layout(set = 0, binding = 1, std430) readonly buffer B { S b; };
layout(set = 0, binding = 2, scalar) readonly buffer C { S c; };
layout(set = 0, binding = 3) buffer O { float o[]; };
void put(S s, int at) {
  o[at] = s.x;
  for (int k = 0; k < 4; ++k) o[at + 1 + k] = s.v[k];
  for (int k = 0; k < 3; ++k) o[at + 5 + k] = s.w[k];
  for (int k = 0; k < 3; ++k) o[at + 8 + k] = s.list[k];
  for (int k = 0; k < 6; ++k) o[at + 11 + k] = s.m[k / 3][k % 3];
}
void main() { put(a, 0); put(b, 17); put(c, 34); }

// SPDX-License-Identifier: MIT
// Components of vectors by a dynamic index: extraction, insertion, and in memory.
//! buffer 0.0 u32 : random(5,64)
//! buffer 0.1 u32 : 0*256
//! compare 0.1 u32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uvec4 b[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, v = a[i];
  uvec4 t = uvec4(v, v ^ 5, v * 3, ~v);
  t[v & 3] = t[(v >> 2) & 3] + 1;
  b[i] = t;
  b[i][(v >> 4) & 3] += 10;
}

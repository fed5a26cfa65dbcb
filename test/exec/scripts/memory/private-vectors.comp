// SPDX-License-Identifier: MIT
// Long arrays of two-component vectors of an invocation.
//! buffer 0.0 u32 : random(5,128)
//! buffer 0.1 u32 : 0*128
//! compare 0.1 u32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uvec2 a[]; };
layout(set = 0, binding = 1) buffer B { uvec2 b[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec2 v = a[i], list[200];
  for (uint k = 0; k < 200; ++k) list[k] = v * k + uvec2(k, i);
  for (uint k = 0; k < 50; ++k) list[(v.x >> (k & 15)) % 200] += list[(v.y * 3 + k) % 200];
  uvec2 sum = uvec2(0);
  for (uint k = 0; k < 200; ++k) sum = sum * 5 + list[k];
  b[i] = sum;
}

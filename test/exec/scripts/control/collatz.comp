// SPDX-License-Identifier: MIT
// A loop whose end only the data knows.
//! buffer 0.0 u32 : 1..64
//! buffer 0.1 u32 : 0*64
//! expect 0.1 u32 : 0 1 7 2 5 8 16 3 19 6 14 9 9 17 17 4 12 20 20 7 7 15 15 10 23 10 111 18 18 18
//! ... 106 5 26 13 13 21 21 21 34 8 109 8 29 16 16 16 104 11 24 24 24 11 11 112 112 19 32 19 32 19 19 107 107 6
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, n = a[i], steps = 0;
  while (n != 1) { n = (n & 1) != 0 ? 3 * n + 1 : n / 2; ++steps; }
  b[i] = steps;
}

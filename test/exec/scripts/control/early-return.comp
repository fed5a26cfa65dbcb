// SPDX-License-Identifier: MIT
// Lanes leave at different places, some from inside of loops and functions.
//! buffer 0.0 u32 : 0..63
//! buffer 0.1 u32 : 0*64
//! expect 0.1 u32 : eval 64 { i % 4 == 0 ? 1 : i > 50 ? 2 : i % 7 == 3 ? 100 + i : i < 10 ? 300 + i : i }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

uint find(uint n) {
  for (uint k = 0; k < 60; ++k) {
    if (n % 7 == 3) return 100 + n;
    if (k == n) { if (n < 10) return 300 + n; return k; }
  }
  return 999;
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (a[i] % 4 == 0) { b[i] = 1; return; }
  if (i > 50) { b[i] = 2; return; }
  b[i] = find(a[i]);
}

// SPDX-License-Identifier: MIT
// Deeply nested divergent selections with values that meet in many places.
//! buffer 0.0 u32 : random(11,256)
//! buffer 0.1 u32 : 0*256
//! dispatch 4
//! compare 0.1 u32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, v = a[i], r = 1, s = 2;
  if ((v & 1) != 0) {
    if ((v & 2) != 0) { r = v * 3; if ((v & 4) != 0) s = r ^ 7; else { s = r + 9; r = s; } }
    else if ((v & 8) != 0) { r = v >> 3; }
    else { s = 77; }
  } else {
    for (uint k = 0; k < (v & 15); ++k) {
      if ((k & 1) != 0) { r += k; if (r > 40) break; }
      else { s *= 3; if (s > 500) { r = s; continue; } }
      r ^= 5;
    }
  }
  b[i] = r * 31 + s;
}

// SPDX-License-Identifier: MIT
// Inclusive prefix sums with barriers in a loop.
//! buffer 0.0 u32 : 1..256
//! buffer 0.1 u32 : 0*256
//! expect 0.1 u32 : eval 256 { (i + 1) * (i + 2) / 2 }
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

shared uint s[2][256];
void main() {
  uint l = gl_LocalInvocationID.x, from = 0;
  s[0][l] = a[l];
  barrier();
  for (uint k = 1; k < 256; k <<= 1, from ^= 1) {
    s[from ^ 1][l] = s[from][l] + (l >= k ? s[from][l - k] : 0);
    barrier();
  }
  b[l] = s[from][l];
}

// SPDX-License-Identifier: MIT
// A vector in registers whose components uniform bits choose, one round after the other.
//! buffer 0.0 u32 : 1 2 3 4 100 3 100 7
//! buffer 0.1 u32 : 0*8
//! expect 0.1 u32 : 12 20 13 23 39 24 20 60
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uvec2 b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uvec2 v = uvec2(10u, 20u);
  for (uint k = 0u; k < a[i]; ++k) {
    uint n = k & 1u, x = i + 2u;
    if (a[i + k] > 9u)
      x = a[i + k] / x;
    v[n] += x;
  }
  b[i] = v;
}

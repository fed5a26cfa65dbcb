// SPDX-License-Identifier: MIT
// The condition of a uniform loop selects a scalar too. Sum of 1, then of 10 as long as it goes on.
//! buffer 0.0 u32 : 0*64
//! buffer 0.1 uniform f32 : 7
//! buffer 0.2 uniform u32 : 10 1000
//! expect 0.0 u32 : 1040*64
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint o[]; };
layout(set = 0, binding = 1) uniform N { float n; };
layout(set = 0, binding = 2) uniform U { uint a, b; };
void main() {
  uint k = 0u, s = 0u;
  float f = 0.0;
  bool more;
  do {
    f += 1.5;
    more = f < n;
    s += k;
    k = more ? a : b;
  } while (more);
  o[gl_LocalInvocationIndex] = s + k;
}

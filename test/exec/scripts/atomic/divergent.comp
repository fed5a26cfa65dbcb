// SPDX-License-Identifier: MIT
// Atomics inside divergent code and loops, on addresses that differ and that agree.
//! buffer 0.0 u32 : 0*16
//! dispatch 3
//! expect 0.0 u32 : 12 12 12 12 12 12 12 12 96 0 0 0 0 0 0 0
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  for (uint k = 0; k < 8; ++k)
    if ((i & 7) == k && (i & 8) != 0) atomicAdd(a[k], 1);
  if (i >= 32) atomicAdd(a[8], 1);
}

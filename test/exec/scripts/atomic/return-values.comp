// SPDX-License-Identifier: MIT
// What atomics return: all values before are seen exactly once.
//! buffer 0.0 u32 : 0
//! buffer 0.1 u32 : 0*256
//! dispatch 4
//! expect 0.0 u32 : 512
//! expect 0.1 u32 : 1*256
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint counter; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint t = atomicAdd(counter, 2);
  atomicAdd(b[t / 2], 1);
}

// SPDX-License-Identifier: MIT
// Arrays of an invocation, written and read with indices that only the data knows.
//! foreach LEN 4 16 100 600
//! buffer 0.0 u32 : random(3,256)
//! buffer 0.1 u32 : 0*256
//! dispatch 4
//! compare 0.1 u32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, v = a[i], list[LEN];
  for (uint k = 0; k < LEN; ++k) list[k] = k * 7 + v;
  for (uint k = 0; k < 40; ++k) {
    uint at = (v >> (k & 15)) % LEN;
    list[at] += list[(at * 5 + k) % LEN];
  }
  uint s = 0;
  for (uint k = 0; k < LEN; ++k) s = s * 3 + list[k];
  b[i] = s;
}

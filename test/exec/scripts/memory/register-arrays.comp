// SPDX-License-Identifier: MIT
// Arrays of an invocation that fit registers, indexed by what all invocations share.
//! foreach LEN 6 16 24
//! buffer 0.0 u32 : random(5,64)
//! buffer 0.1 u32 : 0*64
//! push u32 : 3 1
//! compare 0.1 u32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(push_constant) uniform P { uint at, other; };

void main() {
  uint i = gl_GlobalInvocationID.x, v = a[i], list[LEN];
  for (uint k = 0; k < LEN; ++k) list[k] = v * (k + 1) + i;
  for (uint k = 0; k < at + 5; ++k) {
    list[(at + k) % LEN] = v ^ (k << 3);
    list[(other * 3 + k) % LEN] += list[(at * 2 + k * 5) % LEN];
  }
  uint sum = (at << 3) + other;
  for (uint k = 0; k < LEN; ++k) sum = sum * 7 + list[k];
  b[i] = sum + ((other << 3) + at) * v;
}

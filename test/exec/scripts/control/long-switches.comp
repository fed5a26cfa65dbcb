// SPDX-License-Identifier: MIT
// Switches of 64 cases over a value that differs between lanes, and over one that is the same in all; values that no
// case has. Each case writes memory, so that nothing becomes a table.
//! buffer 0.0 u32 : 0 1 2 31 32 62 63 64 5000 0xffffffff 7 7 48 49 50 51
//! buffer 0.1 u32 : 50 63
//! buffer 0.2 u32 : 0*48
//! expect 0.2 u32 : 0 4 8 124 128 248 252 9 9 9 28 28 192 196 200 204
//! ...  150*16
//! ...  189*16
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer U { uint u[]; };
layout(set = 0, binding = 2) buffer B { uint b[]; };
#define ONE(K) case K: b[at] += factor * (K); break;
#define FOUR(K) ONE(K) ONE(K + 1u) ONE(K + 2u) ONE(K + 3u)
#define MANY(K) FOUR(K) FOUR(K + 4u) FOUR(K + 8u) FOUR(K + 12u)
#define MORE(K) MANY(K) MANY(K + 16u) MANY(K + 32u) MANY(K + 48u)
#define SWITCH(X) switch (X) { MORE(0u) default: b[at] += 9u; }
void main() {
  const uint i = gl_LocalInvocationIndex;
  uint at = i, factor = 4u;
  SWITCH(a[i])
  at += 16u;
  factor = 3u;
  SWITCH(u[0])
  at += 16u;
  SWITCH(u[1])
}

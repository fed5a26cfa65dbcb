// SPDX-License-Identifier: MIT
// 2,048 conditional writes and as many joins, more blocks than 4,096: bit K % 32 of x decides whether K is added.
// Of one bit B: 64 numbers, 32 * (0 + ... + 63) + 64 * B = 64512 + 64 * B.
//! buffer 0.0 u32 : 0 1 2 0x80000000 0xffffffff 3 0x80000001 4
//! buffer 0.1 u32 : 0*8
//! expect 0.1 u32 : 0 64512 64576 66496 2096128 129088 131008 64640
//! skip lavapipe: takes minutes to compile so many blocks
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
#define ONE(K) if ((x >> ((K) & 31u) & 1u) != 0u) b[i] += K;
#define FOUR(K) ONE(K) ONE(K + 1u) ONE(K + 2u) ONE(K + 3u)
#define MANY(K) FOUR(K) FOUR(K + 4u) FOUR(K + 8u) FOUR(K + 12u)
#define MORE(K) MANY(K) MANY(K + 16u) MANY(K + 32u) MANY(K + 48u)
#define MOST(K) MORE(K) MORE(K + 64u) MORE(K + 128u) MORE(K + 192u)
void main() {
  uint i = gl_LocalInvocationIndex, x = a[i];
  MOST(0u) MOST(256u) MOST(512u) MOST(768u) MOST(1024u) MOST(1280u) MOST(1536u) MOST(1792u)
}

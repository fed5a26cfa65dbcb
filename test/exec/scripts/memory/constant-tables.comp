// SPDX-License-Identifier: MIT
// Constant arrays that are too large for registers: read at places that are the same in all invocations, and at others.
//! requires shaderInt64
//! buffer 0.0 u32 : 0*192
//! buffer 0.1 u32 : 70 3 0 127
//! dispatch 1
//! expect 0.0 u32 : eval 64 { (i * 7 % 128) * 3 + 1 }
//! expect 0.0@256 u32 : eval 64 { (70 + i) * 3 + 1 + 1000 * (3 + i) + 5 }
//! expect 0.0@512 u32 : eval 64 { 1000 * (i % 4 + 1) + i }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer O { uint o[192]; };
layout(set = 0, binding = 1) readonly buffer P { uint at[4]; };
#define V(i) (uint(i) * 3u + 1u)
#define V4(i) V(i), V((i) + 1), V((i) + 2), V((i) + 3)
#define V16(i) V4(i), V4((i) + 4), V4((i) + 8), V4((i) + 12)
#define V64(i) V16(i), V16((i) + 16), V16((i) + 32), V16((i) + 48)
const uint table[192] = uint[](V64(0), V64(64), V64(128));
struct Pair { uint a; uvec2 b; };
#define P(i) Pair(1000u * uint(i), uvec2(i, i))
#define P4(i) P(i), P((i) + 1), P((i) + 2), P((i) + 3)
#define P16(i) P4(i), P4((i) + 4), P4((i) + 8), P4((i) + 12)
const Pair pairs[80] = Pair[](P16(0), P16(16), P16(32), P16(48), P16(64));
const uint64_t wide[5] = uint64_t[](1000ul, 2000ul, 3000ul, 4000ul, 0x100000000ul);
void main() {
  uint i = gl_LocalInvocationID.x;
  o[i] = table[i * 7 % 128];
  uint sum = 5u;
  // Not a power of two apart.
  for (uint k = 0; k < 64; ++k)
    if (k == i)
      sum += table[at[0] + k] + pairs[at[1] + k].a + pairs[at[2]].b.y;
  o[64 + i] = sum;
  o[128 + i] = uint(wide[i & 3u]) + i;
}

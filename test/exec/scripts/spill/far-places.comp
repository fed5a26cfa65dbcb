// SPDX-License-Identifier: MIT
// Arrays on the stack beyond the reach of immediate offsets, written from scalar registers that all
// hold values: every element is where it belongs.
//! requires shaderInt64 shaderSubgroupExtendedTypes
//! subgroup 64
//! buffer 0.0 u32 : random(91,1024)
//! buffer 0.1 u32 : 5 63
//! buffer 0.2 u32 : 0*256
//! expect 0.2 u32 : eval 256 { b0_0[((((i>>2)*7+5)&63)*6 + (i&3)+2) & 1023] ^ b0_0[((((i>>2)*11+63)&63)*6 + (i&3)) & 1023] }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer U { uint u[]; };
layout(set = 0, binding = 2) buffer O { uint o[]; };
u64vec3 three(uint i) {
  uint at = i * 6u;
  return u64vec3(packUint2x32(uvec2(a[at], a[at + 1u])), packUint2x32(uvec2(a[at + 2u], a[at + 3u])),
                 packUint2x32(uvec2(a[at + 4u], a[at + 5u])));
}
#define ONE(z, at, n) z[at + n] = subgroupBroadcast(mine, n);
#define FOUR(z, at, n) ONE(z, at, n) ONE(z, at, n + 1u) ONE(z, at, n + 2u) ONE(z, at, n + 3u)
#define SIXTEEN(z, at, n)                                                                          \
  FOUR(z, at, n) FOUR(z, at, n + 4u) FOUR(z, at, n + 8u) FOUR(z, at, n + 12u)
#define ALL(z, at)                                                                                 \
  SIXTEEN(z, at, 0u) SIXTEEN(z, at, 16u) SIXTEEN(z, at, 32u) SIXTEEN(z, at, 48u)
uint dword(u64vec3 x, uint n) { return unpackUint2x32(x[n / 2u])[n & 1u]; }
void main() {
  uint i = gl_LocalInvocationIndex;
  u64vec3 mine = three(i), v[128], w[128], far[128];
  ALL(v, 0u) ALL(v, 64u)
  u64vec3 x = v[((i * 7u + u[0]) & 63u) + 64u];
  ALL(w, 0u) ALL(w, 64u)
  ALL(far, 0u) ALL(far, 64u)
  u64vec3 y = w[((i * 11u + u[1]) & 63u) + 64u];
  y = u[0] == 6u ? far[i + 7u] + v[i] : y;
  for (uint k = 0u; k < 4u; ++k)
    o[i * 4u + k] = dword(x, k + 2u) ^ dword(y, k);
}

// SPDX-License-Identifier: MIT
// A scan that some lanes take part in: a value that the others have beside zeros stays theirs.
//! requires shaderInt64 shaderSubgroupExtendedTypes
//! buffer 0.0 u32 : random(57,256)
//! buffer 0.1 u32 : 3 2 0
//! buffer 0.2 u32 : 0*64
//! expect 0.2 u32 : eval 64 { (b0_0[(i*4+1)&255] & 7) >= 3 ? (b0_0[i*4+2] ^ 77) : b0_0[i*4+2] }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer U { uint u[]; };
layout(set = 0, binding = 2) buffer O { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uvec3 none = uvec3(u[2]);
  uint rounds = u[0], kept = a[i * 4u + 2u];
  uint64_t sums = uint64_t(kept);
  u64vec3 v[5];
  for (uint k = 0u; k < 5u; ++k)
    v[k] = u64vec3(a[(i * 4u + k) & 255u]);
  for (uint k = 0u; k < rounds; ++k) {
    if (u[1] == 1u)
      rounds += none.x;
    if ((uint(v[1].z) & 7u) >= 3u) {
      if (rounds <= 2u) {
        v[k % 5u] ^= u64vec3(12ul);
        break;
      }
      sums ^= subgroupInclusiveAdd(uint64_t(k)) - uint64_t(k);
      kept ^= 77u;
      v[3].y = sums;
      v[1] = u64vec3(none);
    }
  }
  o[i] = kept;
}

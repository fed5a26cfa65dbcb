// SPDX-License-Identifier: MIT
// A radix-like partition with ballots, scans and barriers.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! buffer x u32 : random(41,256)
//! buffer 0.1 u32 : 0*256
//! bind 0.0 storage x
//! dispatch 2
//! buffer rank u32 : eval 256 { fold(j, i/SG*SG, i/SG*SG+SG, 0, acc + ((x[j] & 7) < (x[i] & 7) || (x[j] & 7) == (x[i] & 7) && j < i)) }
//! expect 0.1 u32 : eval 256 { fold(j, i/SG*SG, i/SG*SG+SG, 0, rank[j] == i%SG ? x[j] : acc) }
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer R { uint r[]; };
shared uint s[128];
// Sorts each subgroup by the three lowest bits; equal ones keep their order.
void main() {
  uint i = gl_GlobalInvocationID.x, v = x[i], base = gl_SubgroupID * gl_SubgroupSize;
  for (uint bit = 0; bit < 3; ++bit) {
    bool one = (v >> bit & 1) != 0;
    uvec4 ones = subgroupBallot(one);
    uint zeros = gl_SubgroupSize - subgroupBallotBitCount(ones);
    uint to = subgroupExclusiveAdd(one ? 0u : 1u);
    if (one) to = zeros + subgroupBallotExclusiveBitCount(ones);
    s[base + to] = v;
    subgroupMemoryBarrierShared();
    subgroupBarrier();
    v = s[base + gl_SubgroupInvocationID];
    subgroupBarrier();
  }
  r[i] = v;
}

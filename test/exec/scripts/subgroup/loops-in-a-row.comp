// SPDX-License-Identifier: MIT
// Loops that one lane leaves in each round, behind a subgroup operation of its own, one loop after
// another, and in a function that is called twice: no other lane takes part in any of them.
//! subgroup 8 32 64
//! buffer 0.0 u32 : 9*320
//! buffer 0.1 u32 : 0*64
//! expect 0.0 u32 : 1*256 64*64
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) coherent buffer R { uint r[]; };
layout(set = 0, binding = 1) coherent buffer S { uint s[]; };
uint i = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
uint alone() {
  uint count = 0;
  do {
    s[i] += 3;
    if (subgroupElect()) {
      count = subgroupBallotBitCount(subgroupBallot(true));
      break;
    }
  } while (true);
  return count;
}
void main() {
  do {
    if (subgroupElect()) {
      r[i] = subgroupBallotBitCount(subgroupBallot(true));
      break;
    }
    s[i] += 1;
  } while (true);
  do {
    s[i] += subgroupBallot(true).x;
    if (subgroupElect()) {
      r[64 + i] = subgroupBallotBitCount(subgroupBallot(true));
      break;
    }
    s[i] += subgroupBallot(true).x;
  } while (true);
  r[128 + i] = alone();
  r[192 + i] = alone();
  r[256 + i] = 64 / gl_SubgroupSize * subgroupAdd(1);
}

// SPDX-License-Identifier: MIT
// Exactly one lane of those that take part is elected, the first one: per subgroup, per side of a
// branch, per round of a loop. The classic use: one atomic addition for all.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! buffer 0.0 u32 : 0*300
//! buffer 0.1 u32 : 0 0 0
//! dispatch 3
//! expect 0.0 u32 : eval 300 { (i%100%SG == 0) | (i%100%SG == i%2) << 1 | (i%100%SG < 5) << 2 }
//! expect 0.1 u32 : eval 3 { i == 0 ? (100 + SG - 1) / SG * 3 : i == 1 ? 300 : 2 * 3 * 50 }
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 100) in;
layout(set = 0, binding = 0) buffer R { uint r[]; };
layout(set = 0, binding = 1) buffer N { uint groups, lanes, twice; };
void count(uint weight) {
  uvec4 here = subgroupBallot(true);
  if (subgroupElect()) atomicAdd(twice, weight * subgroupBallotBitCount(here));
}
void main() {
  uint i = gl_LocalInvocationID.x, n = 0;
  if (subgroupElect()) { n |= 1; atomicAdd(groups, 1); }
  uvec4 all = subgroupBallot(true);
  if (subgroupElect()) atomicAdd(lanes, subgroupBallotBitCount(all));
  if ((i & 1) != 0) { if (subgroupElect()) n |= 2; count(2); }
  else { if (subgroupElect()) n |= 2; count(0); }
  for (uint k = 0; k < 5; ++k) {
    if (subgroupElect()) { n |= 4; break; }
  }
  r[gl_GlobalInvocationID.x] = n;
}

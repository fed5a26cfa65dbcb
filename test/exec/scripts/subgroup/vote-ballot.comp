// SPDX-License-Identifier: MIT
// Votes and ballots, in uniform and in divergent code.
//! subgroup 0 32 64
//! buffer 0.0 u32 : 0*1024
//! expect 0.0 u32 : eval 1024 { i / 64 == 0 ? 1 : i / 64 == 1 ? 0 : i / 64 == 2 ? 1 : i / 64 == 3 ? 0 :
//! ... i / 64 == 4 ? SG / 2 : i / 64 == 5 ? ((i % SG) + 1) / 2 : i / 64 == 6 ? (i % SG) / 2 : i / 64 == 7 ? 1 :
//! ... i / 64 == 8 ? SG - 1 : i / 64 == 9 ? i & 1 : i / 64 == 10 ? SG / 4 : i / 64 == 11 ? SG :
//! ... i / 64 == 12 ? i % SG + 1 : i / 64 == 13 ? SG - 1 - i % SG : i / 64 == 14 ? 1 : (i % SG) % 4 == 1 }
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID, at = i;
  b[at] = uint(subgroupAll(lane < gl_SubgroupSize)); at += 64;
  b[at] = uint(subgroupAll(lane != 1)); at += 64;
  b[at] = uint(subgroupAny(lane == 1)); at += 64;
  b[at] = uint(subgroupAllEqual(lane)); at += 64;
  uvec4 odd = subgroupBallot((lane & 1) != 0);
  b[at] = subgroupBallotBitCount(odd); at += 64;
  b[at] = subgroupBallotInclusiveBitCount(odd); at += 64;
  b[at] = subgroupBallotExclusiveBitCount(odd); at += 64;
  b[at] = subgroupBallotFindLSB(odd); at += 64;
  b[at] = subgroupBallotFindMSB(odd); at += 64;
  b[at] = uint(subgroupInverseBallot(odd)); at += 64;
  uint n = 0;
  if ((lane & 3) == 1) n = subgroupBallotBitCount(subgroupBallot(true));
  b[at] = subgroupBallotBitCount(subgroupBallot(n == gl_SubgroupSize / 4)); at += 64;
  b[at] = subgroupBallotBitCount(gl_SubgroupGeMask | gl_SubgroupLtMask); at += 64;
  b[at] = subgroupBallotBitCount(gl_SubgroupLeMask); at += 64;
  b[at] = subgroupBallotBitCount(gl_SubgroupGtMask); at += 64;
  b[at] = subgroupBallotBitCount(gl_SubgroupEqMask) + subgroupBallotFindLSB(gl_SubgroupEqMask) - lane; at += 64;
  b[at] = uint(subgroupBallotBitExtract(uvec4(0x22222222u), lane)) ;
}

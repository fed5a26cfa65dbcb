// SPDX-License-Identifier: MIT
// Ballots and what is done with them: words, counts, single bits, first and last bit, and the way
// back from a mask; among all lanes and among those of one side of a branch.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! buffer x u32 : eval 132 { i * 2654435761 >> 11 & 1 }
//! buffer 0.1 u32 : 77*1056
//! buffer 0.2 u32 : 77*528
//! bind 0.0 storage x
//! expect 0.1 u32 : eval 1056 {
//! ...  i/132 == 0 ? fold(j, 0, min(SG,32), 0, i%132/SG*SG+j < 132 && x[min(i%132/SG*SG+j,131)] ? acc | 1<<j : acc) :
//! ...  i/132 == 1 ? fold(j, 32, SG, 0, i%132/SG*SG+j < 132 && x[min(i%132/SG*SG+j,131)] ? acc | 1<<j-32 : acc) :
//! ...  i/132 == 2 ? 0 :
//! ...  i/132 == 3 ? fold(j, i%132/SG*SG, min(i%132/SG*SG+SG,132), 0, acc + x[j]) :
//! ...  i/132 == 4 ? fold(j, i%132/SG*SG, i%132+1, 0, acc + x[j]) :
//! ...  i/132 == 5 ? fold(j, i%132/SG*SG, i%132, 0, acc + x[j]) :
//! ...  i/132 == 6 ? x[i%132] | (i%132%SG % 3 == 0) << 1 | (i%132%SG % 2 == 1) << 2 :
//! ...  fold(j, 0, min(SG,132-i%132/SG*SG), 99, acc == 99 && x[i%132/SG*SG+j] ? j : acc) | fold(j, 0, min(SG,132-i%132/SG*SG), 99, x[i%132/SG*SG+j] ? j : acc) << 8 }
//! expect 0.2 u32 : eval 528 {
//! ...  i/132 == 0 ? fold(j, 0, min(SG,32), 0, i%132/SG*SG+j < 132 && (i%132/SG*SG+j)%2==i%2 && x[min(i%132/SG*SG+j,131)] ? acc | 1<<j : acc) :
//! ...  i/132 == 1 ? fold(j, 32, SG, 0, i%132/SG*SG+j < 132 && (i%132/SG*SG+j)%2==i%2 && x[min(i%132/SG*SG+j,131)] ? acc | 1<<j-32 : acc) :
//! ...  i/132 == 2 ? fold(j, i%132/SG*SG, min(i%132/SG*SG+SG,132), 0, j%2==i%2 ? acc + x[j] : acc) :
//! ...  fold(j, i%132/SG*SG, i%132, 0, j%2==i%2 ? acc + x[j] : acc) }
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 132) in;
layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer R { uint r[]; };
layout(set = 0, binding = 2) buffer S { uint s[]; };
void apart(uint i, bool b) {
  uvec4 mask = subgroupBallot(b);
  s[i] = mask.x;
  s[132 + i] = mask.y;
  s[264 + i] = subgroupBallotBitCount(mask);
  s[396 + i] = subgroupBallotExclusiveBitCount(mask);
}
void main() {
  uint i = gl_LocalInvocationID.x;
  bool b = x[i] != 0;
  uvec4 mask = subgroupBallot(b);
  r[i] = mask.x;
  r[132 + i] = mask.y;
  r[264 + i] = mask.z | mask.w;
  r[396 + i] = subgroupBallotBitCount(mask);
  r[528 + i] = subgroupBallotInclusiveBitCount(mask);
  r[660 + i] = subgroupBallotExclusiveBitCount(mask);
  uint lane = gl_SubgroupInvocationID;
  r[792 + i] = uint(subgroupInverseBallot(mask)) |
               uint(subgroupBallotBitExtract(uvec4(0x49249249u, 0x92492492u, 0, 0), lane)) << 1 |
               uint(subgroupInverseBallot(uvec4(0xaaaaaaaau))) << 2;
  r[924 + i] = (mask == uvec4(0) ? 99 : subgroupBallotFindLSB(mask)) |
               (mask == uvec4(0) ? 99 : subgroupBallotFindMSB(mask)) << 8;
  if ((i & 1) != 0) apart(i, b); else apart(i, b);
}

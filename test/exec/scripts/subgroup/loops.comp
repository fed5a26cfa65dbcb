// SPDX-License-Identifier: MIT
// Subgroup operations in loops: lanes go round as often as their data says, skip rounds and leave
// early; those that are still there take part.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! buffer trips u32 : eval 140 { i * 7 % 11 }
//! buffer 0.1 u32 : 0*140
//! buffer 0.2 u32 : 0*140
//! buffer 0.3 u32 : 0*140
//! bind 0.0 storage trips
//! expect 0.1 u32 : eval 140 { fold(n, 0, trips[i], 0, acc * 3 + fold(j, i/SG*SG, min(i/SG*SG+SG,140), 0, trips[j] > n ? acc + j : acc)) }
//! expect 0.2 u32 : eval 140 { fold(n, 0, 6, 0, (i + n) % 3 == 1 ? acc : acc * 5 + fold(j, i/SG*SG, min(i/SG*SG+SG,140), 0, (j + n) % 3 != 1 ? max(acc, j * 40503 & 1023) : acc)) }
//! expect 0.3 u32 : eval 140 { fold(n, 0, trips[i] / 2, 100, acc + fold(j, i/SG*SG, i, 0, trips[j] / 2 > n ? acc + 1 : acc)) }
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_maximal_reconvergence : enable
layout(local_size_x = 140) in;
layout(set = 0, binding = 0) readonly buffer X { uint trips[]; };
layout(set = 0, binding = 1) buffer R1 { uint r1[]; };
layout(set = 0, binding = 2) buffer R2 { uint r2[]; };
layout(set = 0, binding = 3) buffer R3 { uint r3[]; };
void main() {
  uint i = gl_LocalInvocationID.x, sum = 0;
  for (uint n = 0; n < trips[i]; ++n) sum = sum * 3 + subgroupAdd(i);
  r1[i] = sum;
  sum = 0;
  for (uint n = 0; n < 6; ++n) {
    if ((i + n) % 3 == 1) continue;
    sum = sum * 5 + subgroupMax(i * 40503 & 1023);
  }
  r2[i] = sum;
  sum = 100;
  uint n = 0;
  while (true) {
    if (n == trips[i] / 2) break;
    sum += subgroupBallotExclusiveBitCount(subgroupBallot(true));
    ++n;
  }
  r3[i] = sum;
}

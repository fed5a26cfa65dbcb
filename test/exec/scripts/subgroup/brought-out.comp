// SPDX-License-Identifier: MIT
// What lanes bring out of a loop stays while others go round again, although operations of a subgroup
// compute in registers of all its lanes there: a sum, a scan behind it, and what follows from memory.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! buffer trips u32 : eval 140 { i * 7 % 11 }
//! buffer 0.1 u32 : 0*140
//! buffer 0.2 u32 : 0*140
//! buffer 0.3 u32 : 0*140
//! bind 0.0 storage trips
//! expect 0.1 u32 : eval 140 { fold(j, i/SG*SG, min(i/SG*SG+SG,140), 0, trips[j] >= trips[i] ? acc + j : acc) * 5 + i * 3 + trips[i] }
//! expect 0.2 u32 : eval 140 { fold(j, i/SG*SG, i + 1, 0, trips[j] >= trips[i] ? acc + j : acc) }
//! expect 0.3 u32 : eval 140 { trips[(i + trips[i]) % 140] + fold(j, i/SG*SG, min(i/SG*SG+SG,140), 0, trips[j] >= trips[i] ? max(acc, j) : acc) }
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_maximal_reconvergence : enable
layout(local_size_x = 140) in;
layout(set = 0, binding = 0) readonly buffer X { uint trips[]; };
layout(set = 0, binding = 1) buffer R1 { uint r1[]; };
layout(set = 0, binding = 2) buffer R2 { uint r2[]; };
layout(set = 0, binding = 3) buffer R3 { uint r3[]; };
void main() {
  uint i = gl_LocalInvocationID.x, sum, scan, read;
  for (uint n = 0; ; ++n) {
    sum = subgroupAdd(i);
    scan = subgroupInclusiveAdd(i);
    read = trips[(i + n) % 140] + subgroupMax(i);
    sum = sum * 5 + i * 3 + n;
    if (n == trips[i]) break;
  }
  r1[i] = sum;
  r2[i] = scan;
  r3[i] = read;
}

// SPDX-License-Identifier: MIT
// Lanes that have returned take no part any more, from the shader or from a function of it.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! buffer 0.0 u32 : 5*420
//! expect 0.0 u32 : eval 420 {
//! ...  i < 140 ? (i%7 == 2 ? 5 : fold(j, i/SG*SG, min(i/SG*SG+SG,140), 0, j%7 != 2 ? acc + j : acc)) :
//! ...  i < 280 ? (i%140%7 == 2 || i%140%3 == 0 ? 5 : fold(j, 0, min(SG, 32), 0, i%140/SG*SG+j < 140 && (i%140/SG*SG+j)%7 != 2 && (i%140/SG*SG+j)%3 != 0 ? acc | 1 << j : acc)) :
//! ...  i%140%7 == 2 || i%140%3 == 0 ? 5 : i%140%5 == 1 ? 40 + fold(j, i%140/SG*SG, min(i%140/SG*SG+SG,140), 0, j%7 != 2 && j%3 && j%5 == 1 ? acc + 1 : acc)
//! ...      : fold(j, i%140/SG*SG, min(i%140/SG*SG+SG,140), 999, j%7 != 2 && j%3 && j%5 != 1 ? min(acc, j) : acc) }
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 140) in;
layout(set = 0, binding = 0) buffer R { uint r[]; };
uint some(uint i) {
  if (i % 5 == 1) return 40 + subgroupAdd(1u);
  return subgroupMin(i);
}
void main() {
  uint i = gl_LocalInvocationID.x;
  if (i % 7 == 2) return;
  r[i] = subgroupAdd(i);
  if (i % 3 == 0) return;
  r[140 + i] = subgroupBallot(true).x;
  r[280 + i] = some(i);
}

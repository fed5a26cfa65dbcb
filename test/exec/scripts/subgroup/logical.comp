// SPDX-License-Identifier: MIT
// Logical and, or, xor of truth values: reductions and scans, also where some lanes are elsewhere.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! buffer x u32 : eval 70 { i * 2654435761 >> 13 & 1 }
//! buffer k u32 : eval 70 { i * i % 5 % 2 }
//! buffer 0.2 u32 : 0*70
//! bind 0.0 storage x
//! bind 0.1 storage k
//! expect 0.2 u32 : eval 70 {
//! ...   fold(j, i/SG*SG, min(i/SG*SG+SG,70), 1, acc & x[j])
//! ...   | fold(j, i/SG*SG, min(i/SG*SG+SG,70), 0, acc | x[j]) << 1
//! ...   | fold(j, i/SG*SG, min(i/SG*SG+SG,70), 0, acc ^ x[j]) << 2
//! ...   | fold(j, i/SG*SG, i + 1, 1, acc & x[j]) << 3
//! ...   | fold(j, i/SG*SG, i + 1, 0, acc | x[j]) << 4
//! ...   | fold(j, i/SG*SG, i + 1, 0, acc ^ x[j]) << 5
//! ...   | fold(j, i/SG*SG, i, 1, acc & x[j]) << 6
//! ...   | fold(j, i/SG*SG, i, 0, acc | x[j]) << 7
//! ...   | fold(j, i/SG*SG, i, 0, acc ^ x[j]) << 8
//! ...   | fold(j, i/SG*SG, min(i/SG*SG+SG,70), 1, k[j] == k[i] ? acc & x[j] : acc) << 9
//! ...   | fold(j, i/SG*SG, min(i/SG*SG+SG,70), 0, k[j] == k[i] ? acc | x[j] : acc) << 10
//! ...   | fold(j, i/SG*SG, i, 0, k[j] == k[i] ? acc ^ x[j] : acc) << 11
//! ...   | fold(j, i/4*4, min(i/4*4+4,70), 1, acc & x[j]) << 12
//! ...   | fold(j, i/2*2, i/2*2+2, 0, acc | x[j]) << 13
//! ...   | fold(j, i/8*8, min(i/8*8+8,70), 0, k[j] == k[i] ? acc ^ x[j] : acc) << 14 }
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 70) in;
layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) readonly buffer K { uint k[]; };
layout(set = 0, binding = 2) buffer R { uint r[]; };
uint apart(bool v) {
  return uint(subgroupAnd(v)) << 9 | uint(subgroupOr(v)) << 10 | uint(subgroupExclusiveXor(v)) << 11 |
         uint(subgroupClusteredXor(v, 8)) << 14;
}
void main() {
  uint i = gl_LocalInvocationID.x, n = 0;
  bool v = x[i] != 0;
  n |= uint(subgroupAnd(v)) | uint(subgroupOr(v)) << 1 | uint(subgroupXor(v)) << 2;
  n |= uint(subgroupInclusiveAnd(v)) << 3 | uint(subgroupInclusiveOr(v)) << 4 |
       uint(subgroupInclusiveXor(v)) << 5;
  n |= uint(subgroupExclusiveAnd(v)) << 6 | uint(subgroupExclusiveOr(v)) << 7 |
       uint(subgroupExclusiveXor(v)) << 8;
  n |= uint(subgroupClusteredAnd(v, 4)) << 12 | uint(subgroupClusteredOr(v, 2)) << 13;
  if (k[i] == 0) n |= apart(v); else n |= apart(v);
  r[i] = n;
}

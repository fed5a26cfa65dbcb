// SPDX-License-Identifier: MIT
// All, any and all-equal, also among the lanes of one side of a branch; the last subgroup is not
// full and absent lanes have no say.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! buffer x u32 : eval 132 { i < 40 ? 1 : i < 50 ? i % 2 : i < 96 ? 0 : i == 96 ? 1 : i < 128 ? 0 : 1 }
//! buffer 0.1 u32 : 0*132
//! bind 0.0 storage x
//! expect 0.1 u32 : eval 132 {
//! ...   fold(j, i/SG*SG, min(i/SG*SG+SG,132), 1, acc & x[j])
//! ...   | fold(j, i/SG*SG, min(i/SG*SG+SG,132), 0, acc | x[j]) << 1
//! ...   | fold(j, i/SG*SG, min(i/SG*SG+SG,132), 1, acc & x[j] == x[i]) << 2
//! ...   | fold(j, i/SG*SG, min(i/SG*SG+SG,132), 1, j%2==i%2 ? acc & x[j] : acc) << 3
//! ...   | fold(j, i/SG*SG, min(i/SG*SG+SG,132), 0, j%2==i%2 ? acc | x[j] : acc) << 4
//! ...   | fold(j, i/SG*SG, min(i/SG*SG+SG,132), 1, j%2==i%2 ? acc & x[j] == x[i] : acc) << 5
//! ...   | fold(j, i/SG*SG, min(i/SG*SG+SG,132), 1, j%2==i%2 ? acc & x[j] == x[i] : acc) << 6 }
#version 450
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 132) in;
layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer R { uint r[]; };
uint apart(bool b, uint v) {
  return uint(subgroupAll(b)) << 3 | uint(subgroupAny(b)) << 4 | uint(subgroupAllEqual(b)) << 5 |
         uint(subgroupAllEqual(v)) << 6;
}
void main() {
  uint i = gl_LocalInvocationID.x, v = x[i];
  bool b = v != 0;
  uint n = uint(subgroupAll(b)) | uint(subgroupAny(b)) << 1 | uint(subgroupAllEqual(b)) << 2;
  if ((i & 1) != 0) n |= apart(b, v); else n |= apart(b, v);
  r[i] = n;
}

// SPDX-License-Identifier: MIT
// The older instructions: SPV_KHR_shader_ballot and SPV_KHR_subgroup_vote.
//! requires subgroupSizeControl shaderInt64 VK_EXT_shader_subgroup_ballot VK_EXT_shader_subgroup_vote
//! subgroup 8 32 64
//! buffer x u32 : eval 132 { i < 40 ? 1 : i < 50 ? i % 2 : i < 96 ? 0 : i == 96 ? 1 : i < 128 ? 0 : 1 }
//! buffer 0.1 u64 : 0*132
//! buffer 0.2 u32 : 0*396
//! bind 0.0 storage x
//! expect 0.1 u64 : eval 132 { fold(j, 0, min(SG, 132 - i/SG*SG), 0, acc | x[i/SG*SG+j] << j) }
//! expect 0.2 u32 : eval 396 {
//! ...  i < 132 ? fold(j, i/SG*SG, min(i/SG*SG+SG,132), 1, acc & x[j]) | fold(j, i/SG*SG, min(i/SG*SG+SG,132), 0, acc | x[j]) << 1
//! ...    | fold(j, i/SG*SG, min(i/SG*SG+SG,132), 1, acc & x[j] == x[i]) << 2 :
//! ...  i < 264 ? i%132/SG*SG + 3 : i%132/SG*SG + i%2 }
#version 450
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_shader_group_vote : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 132) in;
layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer R { uint64_t r[]; };
layout(set = 0, binding = 2) buffer S { uint s[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  bool b = x[i] != 0;
  r[i] = ballotARB(b);
  s[i] = uint(allInvocationsARB(b)) | uint(anyInvocationARB(b)) << 1 | uint(allInvocationsEqualARB(b)) << 2;
  s[132 + i] = readInvocationARB(i, 3);
  if ((i & 1) != 0) s[264 + i] = readFirstInvocationARB(i);
  else s[264 + i] = readFirstInvocationARB(i);
}

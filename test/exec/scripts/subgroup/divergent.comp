// SPDX-License-Identifier: MIT
// Subgroup operations where paths differ: who takes part is who arrived.
//! subgroup 0 32 64
//! buffer 0.0 u32 : 0*256
//! expect 0.0 u32 : eval 256 { i / 64 == 0 ? (i % 4 == 0 ? SG / 4 : i % 4 == 1 ? 2 * SG / 4 : SG / 2) :
//! ... i / 64 == 1 ? SG - i % SG : i / 64 == 2 ? i % 64 - i % SG + (i % SG < 5 ? 0 : 5) : SG * (SG + 1) / 2 }
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID, r = 0;
  switch (lane & 3) {
  case 0: r = subgroupAdd(1); break;
  case 1: r = subgroupAdd(2); break;
  default: r = subgroupAdd(1); break;
  }
  b[i] = r;
  // Each trip has one invocation less: the last one counts itself.
  for (uint k = 0; k <= lane; ++k) r = subgroupAdd(1);
  b[64 + i] = r;
  if (lane < 5) r = subgroupBroadcastFirst(i);
  else r = subgroupBroadcastFirst(i);
  b[128 + i] = r;
  uint total = 0;
  for (uint k = 0; k <= lane; ++k) total += 1;
  b[192 + i] = subgroupAdd(total);
}

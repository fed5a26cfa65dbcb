// SPDX-License-Identifier: MIT
// Built-ins of subgroups, and election with some invocations away.
//! subgroup 0 32 64
//! buffer 0.0 u32 : 0*512
//! dispatch 1
//! expect 0.0 u32 : eval 512 { i % 4 == 0 ? SG : i % 4 == 1 ? (i / 4) % SG : i % 4 == 2 ? i / 4 / SG * 1000 + 128 / SG : ((i / 4) % SG == 0) + 2 * ((i / 4) % SG == 3) }
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex, e = 0;
  if (subgroupElect()) e = 1;
  if (gl_SubgroupInvocationID > 2) { if (subgroupElect()) e += 2; }
  b[i * 4] = gl_SubgroupSize;
  b[i * 4 + 1] = gl_SubgroupInvocationID;
  b[i * 4 + 2] = gl_SubgroupID * 1000 + gl_NumSubgroups;
  b[i * 4 + 3] = e;
}

// SPDX-License-Identifier: MIT
// Numbers and masks of subgroups, in a workgroup of three dimensions whose last subgroup is partial.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! buffer 0.0 u32 : 9*840
//! expect 0.0 u32 : eval 840 { i/70 == 0 ? SG : i/70 == 1 ? (70 + SG - 1) / SG : i/70 == 2 ? i%70/SG : i/70 == 3 ? i%70%SG :
//! ...  i/70 == 4 ? (i%70%SG < 32 ? 1 << i%70%SG : 0) :
//! ...  i/70 == 5 ? (i%70%SG < 32 ? 0 : 1 << i%70%SG - 32) :
//! ...  i/70 == 6 ? (i%70%SG < 32 ? (1 << i%70%SG) - 1 : ~0) :
//! ...  i/70 == 7 ? (i%70%SG < 32 ? 0 : u32((2 << i%70%SG - 32) - 1)) :
//! ...  i/70 == 8 ? fold(j, i%70%SG + 1, min(SG,32), 0, acc | 1 << j) :
//! ...  i/70 == 9 ? fold(j, max(i%70%SG, 32), SG, 0, acc | 1 << j - 32) :
//! ...  i/70 == 10 ? (i%70%SG == 0) | 2 : 1 }
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 7, local_size_y = 5, local_size_z = 2) in;
layout(set = 0, binding = 0) buffer R { uint r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  r[i] = gl_SubgroupSize;
  r[70 + i] = gl_NumSubgroups;
  r[140 + i] = gl_SubgroupID;
  r[210 + i] = gl_SubgroupInvocationID;
  r[280 + i] = gl_SubgroupEqMask.x;
  r[350 + i] = gl_SubgroupEqMask.y;
  r[420 + i] = gl_SubgroupLtMask.x;
  r[490 + i] = gl_SubgroupLeMask.y;
  r[560 + i] = gl_SubgroupGtMask.x;
  r[630 + i] = gl_SubgroupGeMask.y;
  r[700 + i] = uint(subgroupElect()) | (gl_SubgroupEqMask.z == 0 && gl_SubgroupGeMask.w == 0 ? 2 : 0);
  subgroupBarrier();
  subgroupMemoryBarrier();
  r[770 + i] = uint(gl_SubgroupEqMask == (gl_SubgroupLeMask & gl_SubgroupGeMask));
}

// SPDX-License-Identifier: MIT
// Shuffles whose distance is a constant when their loops are unrolled. Of lanes that the subgroup
// does not have, or that are not active, nothing is known.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! foreach M 0 2 5
//! buffer 0.0 u32 : 0*4608
//! expect 0.0 u32 : eval 4608 { i%SG%${M} == 1 ? 0 : fold(j, 0, 1,
//! ...  i/384 == 0 ? (i%SG) ^ (1 << i/64%6) :
//! ...  i/384 == 1 ? (i%SG) - (1 << i/64%6) :
//! ...  i/384 == 2 ? (i%SG) + (1 << i/64%6) :
//! ...  i/384 == 3 ? ((i%SG) + (1 << i/64%6)) & (SG - 1) :
//! ...  i/384 == 4 ? ((i%SG) + (1 << i/64%6)) & 7 | (i%SG) & ~7 :
//! ...  i/384 == 5 ? (1 << i/64%6) - (i%SG) :
//! ...  i/384 == 6 ? (i%SG) & (1 << i/64%6) :
//! ...  i/384 == 7 ? (i%SG) | (1 << i/64%6) :
//! ...  i/384 == 8 ? (i%SG) * (1 << i/64%6) & (SG - 1) :
//! ...  i/384 == 9 ? (i%SG) + (1 << i/64%6) >> 1 :
//! ...  i/384 == 10 ? (i%SG) & ~7 | (1 << i/64%6) & 7 :
//! ...  ((i%SG) ^ (1 << i/64%6)) & 15 | (i%SG) & ~15,
//! ...  acc < 0 || acc >= SG || acc%${M} == 1 ? 1 : 1000 + i%64/SG*SG + acc) }
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
bool inactive(uint lane) { return M > 0 && lane % max(M, 1) == 1; }
bool valid(uint lane) { return lane < gl_SubgroupSize && !inactive(lane); }
void main() {
  uint i = gl_LocalInvocationIndex, l = gl_SubgroupInvocationID, v = 1000 + i;
  if (inactive(l)) return;
  for (uint k = 0, D = 1; k < 6; ++k, D <<= 1) { uint x = subgroupShuffleXor(v, D); b[0 + 64 * k + i] = valid(l ^ D) ? x : 1; }
  for (uint k = 0, D = 1; k < 6; ++k, D <<= 1) { uint x = subgroupShuffleUp(v, D); b[384 + 64 * k + i] = valid(l - D) ? x : 1; }
  for (uint k = 0, D = 1; k < 6; ++k, D <<= 1) { uint x = subgroupShuffleDown(v, D); b[768 + 64 * k + i] = valid(l + D) ? x : 1; }
  for (uint k = 0, D = 1; k < 6; ++k, D <<= 1) { uint x = subgroupShuffle(v, (l + D) & (gl_SubgroupSize - 1)); b[1152 + 64 * k + i] = valid((l + D) & (gl_SubgroupSize - 1)) ? x : 1; }
  for (uint k = 0, D = 1; k < 6; ++k, D <<= 1) { uint x = subgroupShuffle(v, (l + D) & 7 | l & ~7); b[1536 + 64 * k + i] = valid((l + D) & 7 | l & ~7) ? x : 1; }
  for (uint k = 0, D = 1; k < 6; ++k, D <<= 1) { uint x = subgroupShuffle(v, D - l); b[1920 + 64 * k + i] = valid(D - l) ? x : 1; }
  for (uint k = 0, D = 1; k < 6; ++k, D <<= 1) { uint x = subgroupShuffle(v, l & D); b[2304 + 64 * k + i] = valid(l & D) ? x : 1; }
  for (uint k = 0, D = 1; k < 6; ++k, D <<= 1) { uint x = subgroupShuffle(v, l | D); b[2688 + 64 * k + i] = valid(l | D) ? x : 1; }
  for (uint k = 0, D = 1; k < 6; ++k, D <<= 1) { uint x = subgroupShuffle(v, l * D & (gl_SubgroupSize - 1)); b[3072 + 64 * k + i] = valid(l * D & (gl_SubgroupSize - 1)) ? x : 1; }
  for (uint k = 0, D = 1; k < 6; ++k, D <<= 1) { uint x = subgroupShuffle(v, l + D >> 1); b[3456 + 64 * k + i] = valid(l + D >> 1) ? x : 1; }
  for (uint k = 0, D = 1; k < 6; ++k, D <<= 1) { uint x = subgroupShuffle(v, l & ~7 | D & 7); b[3840 + 64 * k + i] = valid(l & ~7 | D & 7) ? x : 1; }
  for (uint k = 0, D = 1; k < 6; ++k, D <<= 1) { uint x = subgroupShuffle(v, (l ^ D) & 15 | l & ~15); b[4224 + 64 * k + i] = valid((l ^ D) & 15 | l & ~15) ? x : 1; }
}

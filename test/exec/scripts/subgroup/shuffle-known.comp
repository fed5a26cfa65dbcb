// SPDX-License-Identifier: MIT
// Shuffles by constants, of all lanes and of some. Of lanes that the subgroup does not have, or that
// are not active, nothing is known.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! foreach D 1 2 3 5 8 13 15 16 17 21 24 31 32 33 40 47 48 57 63
//! foreach M 0 2 5
//! buffer 0.0 u32 : 0*768
//! expect 0.0 u32 : eval 768 { i%SG%${M} == 1 ? 0 : fold(j, 0, 1,
//! ...  i/64 == 0 ? (i%SG) ^ ${D} :
//! ...  i/64 == 1 ? (i%SG) - ${D} :
//! ...  i/64 == 2 ? (i%SG) + ${D} :
//! ...  i/64 == 3 ? ((i%SG) + ${D}) & (SG - 1) :
//! ...  i/64 == 4 ? ((i%SG) + ${D}) & 7 | (i%SG) & ~7 :
//! ...  i/64 == 5 ? ${D} - (i%SG) :
//! ...  i/64 == 6 ? (i%SG) & ${D} :
//! ...  i/64 == 7 ? (i%SG) | ${D} :
//! ...  i/64 == 8 ? (i%SG) * ${D} & (SG - 1) :
//! ...  i/64 == 9 ? (i%SG) + ${D} >> 1 :
//! ...  i/64 == 10 ? (i%SG) & ~7 | ${D} & 7 :
//! ...  ((i%SG) ^ ${D}) & 15 | (i%SG) & ~15,
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
  { uint x = subgroupShuffleXor(v, D); b[0 + i] = valid(l ^ D) ? x : 1; }
  { uint x = subgroupShuffleUp(v, D); b[64 + i] = valid(l - D) ? x : 1; }
  { uint x = subgroupShuffleDown(v, D); b[128 + i] = valid(l + D) ? x : 1; }
  { uint x = subgroupShuffle(v, (l + D) & (gl_SubgroupSize - 1)); b[192 + i] = valid((l + D) & (gl_SubgroupSize - 1)) ? x : 1; }
  { uint x = subgroupShuffle(v, (l + D) & 7 | l & ~7); b[256 + i] = valid((l + D) & 7 | l & ~7) ? x : 1; }
  { uint x = subgroupShuffle(v, D - l); b[320 + i] = valid(D - l) ? x : 1; }
  { uint x = subgroupShuffle(v, l & D); b[384 + i] = valid(l & D) ? x : 1; }
  { uint x = subgroupShuffle(v, l | D); b[448 + i] = valid(l | D) ? x : 1; }
  { uint x = subgroupShuffle(v, l * D & (gl_SubgroupSize - 1)); b[512 + i] = valid(l * D & (gl_SubgroupSize - 1)) ? x : 1; }
  { uint x = subgroupShuffle(v, l + D >> 1); b[576 + i] = valid(l + D >> 1) ? x : 1; }
  { uint x = subgroupShuffle(v, l & ~7 | D & 7); b[640 + i] = valid(l & ~7 | D & 7) ? x : 1; }
  { uint x = subgroupShuffle(v, (l ^ D) & 15 | l & ~15); b[704 + i] = valid((l ^ D) & 15 | l & ~15) ? x : 1; }
}

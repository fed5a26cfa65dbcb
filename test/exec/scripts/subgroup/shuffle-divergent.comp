// SPDX-License-Identifier: MIT
// Shuffles among the lanes of one side of a branch, with indices that differ from lane to lane, of
// vectors and in a loop; every source takes part.
//! requires subgroupSizeControl
//! subgroup 8 32 64
//! buffer 0.0 u32 : 0*512
//! expect 0.0 u32 : eval 512 { i < 128 ? (i%2 ? i/SG*SG + (i%SG + 2*(i%5)) % SG + 1000 : i/SG*SG + (SG - 2 - i%SG) + 2000) :
//! ...  i < 256 ? (i/4%2 ? (i%128^2) * 3 : (i%128^1) * 5) :
//! ...  i < 384 ? (i%128^3) + ((i%128^3) << 8) + ((i%128^3) << 16) :
//! ...  fold(j, 0, i%4 + 1, i%128, i%128/SG*SG + (acc * 4 + i%4) % SG) }
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer R { uint r[]; };
void main() {
  uint i = gl_LocalInvocationID.x, lane = gl_SubgroupInvocationID, size = gl_SubgroupSize;
  if ((i & 1) != 0) r[i] = subgroupShuffle(i + 1000, (lane + 2 * (i % 5)) % size);
  else r[i] = subgroupShuffle(i + 2000, size - 2 - lane);
  if ((i & 4) != 0) r[128 + i] = subgroupShuffleXor(i * 3, 2);
  else r[128 + i] = subgroupShuffleXor(i * 5, 1);
  uvec3 v = subgroupShuffleXor(uvec3(i, i << 8, i << 16), 3);
  r[256 + i] = v.x + v.y + v.z;
  // Lane l goes round l % 4 + 1 times and reads from lanes that go round as often.
  uint at = i;
  for (uint k = 0; k <= i % 4; ++k) {
    uint source = (at * 4 + i % 4) % size;
    at = subgroupShuffle(i, source);
  }
  r[384 + i] = at;
}

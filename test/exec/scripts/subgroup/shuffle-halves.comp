// SPDX-License-Identifier: MIT
// Many words that cross the halves of 64 lanes, in loops that are unrolled and without: more than there are registers for.
//! requires subgroupSizeControl
//! target vulkan1.3
//! subgroup 64
//! foreach LOOPS 0 1
//! buffer 0.0 u32 : eval 512 { i + 1000 }
//! buffer 0.1 u32 : 77*3072
//! expect 0.1 u32 : eval 3072 { (i / 4 % 128 ^ 32 ^ i / 512 * 2) * 4 + i % 4 + 1000 }
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer R { uint r[]; };
void main() {
  uint i = gl_LocalInvocationIndex, l = gl_SubgroupInvocationID;
  uint v[4];
  for (uint c = 0u; c < 4u; ++c)
    v[c] = a[i * 4u + c];
#if ${LOOPS}
  for (uint n = 0u; n < 6u; ++n)
    for (uint c = 0u; c < 4u; ++c)
      r[n * 512u + i * 4u + c] = subgroupShuffle(v[c], l ^ 32u ^ n * 2u);
#else
  r[0u + i * 4u + 0u] = subgroupShuffle(v[0], l ^ 32u);
  r[0u + i * 4u + 1u] = subgroupShuffle(v[1], l ^ 32u);
  r[0u + i * 4u + 2u] = subgroupShuffle(v[2], l ^ 32u);
  r[0u + i * 4u + 3u] = subgroupShuffle(v[3], l ^ 32u);
  r[512u + i * 4u + 0u] = subgroupShuffle(v[0], l ^ 34u);
  r[512u + i * 4u + 1u] = subgroupShuffle(v[1], l ^ 34u);
  r[512u + i * 4u + 2u] = subgroupShuffle(v[2], l ^ 34u);
  r[512u + i * 4u + 3u] = subgroupShuffle(v[3], l ^ 34u);
  r[1024u + i * 4u + 0u] = subgroupShuffle(v[0], l ^ 36u);
  r[1024u + i * 4u + 1u] = subgroupShuffle(v[1], l ^ 36u);
  r[1024u + i * 4u + 2u] = subgroupShuffle(v[2], l ^ 36u);
  r[1024u + i * 4u + 3u] = subgroupShuffle(v[3], l ^ 36u);
  r[1536u + i * 4u + 0u] = subgroupShuffle(v[0], l ^ 38u);
  r[1536u + i * 4u + 1u] = subgroupShuffle(v[1], l ^ 38u);
  r[1536u + i * 4u + 2u] = subgroupShuffle(v[2], l ^ 38u);
  r[1536u + i * 4u + 3u] = subgroupShuffle(v[3], l ^ 38u);
  r[2048u + i * 4u + 0u] = subgroupShuffle(v[0], l ^ 40u);
  r[2048u + i * 4u + 1u] = subgroupShuffle(v[1], l ^ 40u);
  r[2048u + i * 4u + 2u] = subgroupShuffle(v[2], l ^ 40u);
  r[2048u + i * 4u + 3u] = subgroupShuffle(v[3], l ^ 40u);
  r[2560u + i * 4u + 0u] = subgroupShuffle(v[0], l ^ 42u);
  r[2560u + i * 4u + 1u] = subgroupShuffle(v[1], l ^ 42u);
  r[2560u + i * 4u + 2u] = subgroupShuffle(v[2], l ^ 42u);
  r[2560u + i * 4u + 3u] = subgroupShuffle(v[3], l ^ 42u);
#endif
}

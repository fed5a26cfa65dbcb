// SPDX-License-Identifier: MIT
// What the last round of each lane has loaded, from a descriptor that all lanes of a round share: behind the loop they do not.
//! requires shaderSampledImageArrayDynamicIndexing shaderStorageImageArrayDynamicIndexing shaderStorageBufferArrayDynamicIndexing shaderUniformBufferArrayDynamicIndexing
//! foreach KIND 0 1 2 3 4 5 6
//! sampler sam filter=nearest
//! image t0 r32_uint 2d 4x4 : u32 100..115
//! bind 0.1[0] combined t0 sam
//! bind 0.2[0] storage-image t0
//! buffer b0 u32 : eval 64 { i + 100 }
//! bind 0.3[0] storage b0
//! bind 0.4[0] uniform b0
//! image t1 r32_uint 2d 4x4 : u32 200..215
//! bind 0.1[1] combined t1 sam
//! bind 0.2[1] storage-image t1
//! buffer b1 u32 : eval 64 { i + 200 }
//! bind 0.3[1] storage b1
//! bind 0.4[1] uniform b1
//! image t2 r32_uint 2d 4x4 : u32 300..315
//! bind 0.1[2] combined t2 sam
//! bind 0.2[2] storage-image t2
//! buffer b2 u32 : eval 64 { i + 300 }
//! bind 0.3[2] storage b2
//! bind 0.4[2] uniform b2
//! image t3 r32_uint 2d 4x4 : u32 400..415
//! bind 0.1[3] combined t3 sam
//! bind 0.2[3] storage-image t3
//! buffer b3 u32 : eval 64 { i + 400 }
//! bind 0.3[3] storage b3
//! bind 0.4[3] uniform b3
//! buffer 0.0 u32 : 0*128
//! expect 0.0 u32 : eval 128 { i < 64 ? (i % 5 == 0 ? 7 : i % 5 * 100 + 2) : (i % 4 + 1) * 100 + 2 }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer R { uint r[]; };
layout(set = 0, binding = 1) uniform usampler2D sampled[4];
layout(set = 0, binding = 2, r32ui) readonly uniform uimage2D image[4];
layout(set = 0, binding = 3) readonly restrict buffer S { uint v[]; } stored[4];
layout(set = 0, binding = 4) uniform U { uvec4 v[16]; } shared_[4];
uint load(uint k) {
#if ${KIND} == 0
  return texelFetch(sampled[k & 3u], ivec2(2, 0), 0).x;
#elif ${KIND} == 1
  return textureLod(sampled[k & 3u], vec2(0.6, 0.1), 0).x;
#elif ${KIND} == 2
  return textureGather(sampled[k & 3u], vec2(0.75, 0.25)).w;
#elif ${KIND} == 3
  return imageLoad(image[k & 3u], ivec2(2, 0)).x;
#elif ${KIND} == 4
  return stored[k & 3u].v[2];
#elif ${KIND} == 5
  return shared_[k & 3u].v[0].z;
#else
  return 100u * (k & 3u) + 102u + uint(textureSize(sampled[k & 3u], 0).x) - 4u;
#endif
}
void main() {
  uint i = gl_LocalInvocationIndex, y = 7u, z;
  for (uint k = 0u; k < i % 5u; ++k)
    y = load(k);
  r[i] = y;
  for (uint k = 0u;; ++k) {
    z = load(k);
    if (k == i % 4u)
      break;
  }
  r[i + 64u] = z;
}

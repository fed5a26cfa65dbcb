// SPDX-License-Identifier: MIT
// Storage views of some slices of a 3D image (VK_EXT_image_sliced_view_of_3d), at two levels: depth 0 is the first of
// them, others do not exist. Sampled, such a view shows all.
//! requires imageSlicedViewOf3D robustImageAccess
//! image volume r32_uint 3d 4x4x8 mips=2 slices=1 : u32 eval 144 { i * 3 + 1 }
//! sampler s filter=nearest wrap=clamp
//! bind 0.0 storage-image volume slice=2 slices=3
//! bind 0.1 storage-image volume mip=1 slice=1
//! bind 0.2 combined volume s slice=2 slices=3
//! buffer 0.3 u32 : 0*80
//! expect 0.3 u32 : eval 80 { i < 16 ? (32 + i) * 3 + 1 : i < 32 ? (64 + i - 16) * 3 + 1 : i < 48 ? (i < 36 ? (128 + 4 + i - 32) * 3 + 1 : 0) : i == 48 ? 3 : i == 49 ? 3 : i < 64 ? 0 : (112 + i - 64) * 3 + 1 }
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0, r32ui) uniform uimage3D some;
layout(set = 0, binding = 1, r32ui) uniform uimage3D small;
layout(set = 0, binding = 2) uniform usampler3D whole;
layout(set = 0, binding = 3) buffer B { uint b[80]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  ivec2 p = ivec2(i % 4, i / 4);
  b[i] = imageLoad(some, ivec3(p, 0)).x;
  b[16 + i] = imageLoad(some, ivec3(p, 2)).x;
  if (i < 4) b[32 + i] = imageLoad(small, ivec3(i % 2, i / 2, 0)).x;
  if (i == 0) { b[48] = imageSize(some).z; b[49] = imageSize(small).z; }
  if (i == 1) b[50] = imageLoad(some, ivec3(0, 0, 3)).x;
  b[64 + i] = texelFetch(whole, ivec3(p, 7), 0).x;
}

// SPDX-License-Identifier: MIT
// 2D views of slices of a 3D image (VK_EXT_image_2d_view_of_3d): sampled, loaded and stored to, at two levels.
//! requires image2DViewOf3D sampler2DViewOf3D
//! image volume r32_uint 3d 4x4x4 mips=2 slices=1 : u32 eval 72 { i * 3 }
//! sampler s filter=nearest wrap=clamp
//! bind 0.0 combined volume s view=2d layer=2 layers=1 mips=1
//! bind 0.1 storage-image volume view=2d layer=1 layers=1
//! bind 0.2 storage-image volume view=2d layer=1 layers=1 mip=1
//! buffer 0.3 u32 : 0*36
//! bind 0.4 combined volume s
//! expect 0.3 u32 : eval 36 { i < 16 ? (32 + i) * 3 : i < 32 ? (16 + i - 16) * 3 : (64 + 4 + i - 32) * 3 + 1 }
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) uniform usampler2D slice;
layout(set = 0, binding = 1, r32ui) uniform uimage2D stored;
layout(set = 0, binding = 2, r32ui) uniform uimage2D small;
layout(set = 0, binding = 3) buffer B { uint b[36]; };
layout(set = 0, binding = 4) uniform usampler3D whole;
void main() {
  uint i = gl_LocalInvocationIndex;
  ivec2 p = ivec2(i % 4, i / 4);
  b[i] = texelFetch(slice, p, 0).x;
  b[16 + i] = imageLoad(stored, p).x;
  if (i < 4) imageStore(small, ivec2(i % 2, i / 2), imageLoad(small, ivec2(i % 2, i / 2)) + 1u);
  memoryBarrier();
  barrier();
  if (i < 4) b[32 + i] = texelFetch(whole, ivec3(i % 2, i / 2, 1), 1).x;
}

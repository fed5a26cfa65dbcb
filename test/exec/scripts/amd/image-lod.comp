// SPDX-License-Identifier: MIT
// Loads and stores of storage images at a level of detail that the shader names.
//! requires VK_AMD_shader_image_load_store_lod
//! image texture r32_uint 2d 8x8 mips=3 : u32 eval 84 { i }
//! bind 0.0 storage-image texture mips=3
//! buffer 0.1 u32 : 0*84
//! expect 0.1 u32 : eval 84 { i < 64 ? i : i < 80 ? i * 10 + 1 : i }
#version 450
#extension GL_AMD_shader_image_load_store_lod : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D image;
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  ivec2 middle = ivec2(i % 4, i / 4);
  if (i < 16) imageStoreLodAMD(image, middle, 1, imageLoadLodAMD(image, middle, 1) * 10u + 1u);
  memoryBarrier();
  barrier();
  b[i] = imageLoadLodAMD(image, ivec2(i % 8, i / 8), 0).x;
  if (i < 16) b[64 + i] = imageLoadLodAMD(image, middle, 1).x;
  if (i < 4) b[80 + i] = imageLoadLodAMD(image, ivec2(i % 2, i / 2), 2).x;
}

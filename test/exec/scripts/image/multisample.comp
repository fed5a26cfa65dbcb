// SPDX-License-Identifier: MIT
// Samples of a multisampled image, stored and loaded one by one; numbers of samples and sizes.
//! requires shaderStorageImageMultisample
//! image img r32_uint 2d 4x2 samples=4
//! image other r32_uint 2d 4x2 samples=4
//! bind 0.0 storage-image img
//! bind 0.1 sampled-image other
//! buffer 0.2 u32 : 9*34
//! expect 0.2 u32 : eval 34 { i < 32 ? i * i + 3 : i == 32 ? 4 * 257 : 1026 }
#version 450
#extension GL_ARB_shader_texture_image_samples : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, r32ui) uniform coherent uimage2DMS img;
layout(set = 0, binding = 1) uniform utexture2DMS other;
layout(set = 0, binding = 2) buffer O { uint o[]; };
void main() {
  uint i = gl_LocalInvocationID.x, j = 31 - i;
  imageStore(img, ivec2(i / 4 % 4, i / 16), int(i % 4), uvec4(i * i + 3));
  memoryBarrierImage();
  barrier();
  o[j] = imageLoad(img, ivec2(j / 4 % 4, j / 16), int(j % 4)).x;
  if (i == 0) {
    o[32] = imageSamples(img) * 256 + textureSamples(other);
    o[33] = imageSize(img).x * 256 + textureSize(other).y;
  }
}

// SPDX-License-Identifier: MIT
// Texel buffers of format r8g8b8a8_unorm: fetch, size, and stores; views with an offset.
//! requires shaderStorageImageExtendedFormats
//! buffer in u8 : 0..127
//! buffer out u8 : 0*128
//! buffer 0.2 u32 : 0*2
//! bind 0.0 texel in format=r8g8b8a8_unorm
//! bind 0.1 storage-texel out format=r8g8b8a8_unorm
//! dispatch 8
//! expect out u8 : eval 32 { in[(7 - i / 4) * 4 + i % 4] }
//! expect 0.2 u32 : 32 32
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform textureBuffer src;
layout(set = 0, binding = 1, rgba8) uniform writeonly imageBuffer dst;
layout(set = 0, binding = 2) buffer O { uint o[]; };
void main() {
  int i = int(gl_WorkGroupID.x);
  imageStore(dst, i, texelFetch(src, 7 - i));
  if (i == 0) { o[0] = textureSize(src); o[1] = imageSize(dst); }
}

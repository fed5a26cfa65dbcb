// SPDX-License-Identifier: MIT
// Texel buffers of format r32g32b32a32_sfloat: fetch, size, and stores; views with an offset.
//! requires shaderStorageImageExtendedFormats
//! buffer in f32 : 0..127/1
//! buffer out f32 : 0*128
//! buffer 0.2 u32 : 0*2
//! bind 0.0 texel in format=r32g32b32a32_sfloat
//! bind 0.1 storage-texel out format=r32g32b32a32_sfloat
//! dispatch 8
//! expect out f32 : eval 32 { in[(7 - i / 4) * 4 + i % 4] }
//! expect 0.2 u32 : 32 32
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform textureBuffer src;
layout(set = 0, binding = 1, rgba32f) uniform writeonly imageBuffer dst;
layout(set = 0, binding = 2) buffer O { uint o[]; };
void main() {
  int i = int(gl_WorkGroupID.x);
  imageStore(dst, i, texelFetch(src, 7 - i));
  if (i == 0) { o[0] = textureSize(src); o[1] = imageSize(dst); }
}

// SPDX-License-Identifier: MIT
// Texel buffers of format r32_uint: fetch, size, and stores; views with an offset.
//! requires shaderStorageImageExtendedFormats
//! buffer in u32 : 0..127
//! buffer out u32 : 0*128
//! buffer 0.2 u32 : 0*2
//! bind 0.0 texel in format=r32_uint
//! bind 0.1 storage-texel out format=r32_uint
//! dispatch 8
//! expect out u32 : eval 8 { in[(7 - i / 1) * 1 + i % 1] }
//! expect 0.2 u32 : 128 128
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform utextureBuffer src;
layout(set = 0, binding = 1, r32ui) uniform writeonly uimageBuffer dst;
layout(set = 0, binding = 2) buffer O { uint o[]; };
void main() {
  int i = int(gl_WorkGroupID.x);
  imageStore(dst, i, texelFetch(src, 7 - i));
  if (i == 0) { o[0] = textureSize(src); o[1] = imageSize(dst); }
}

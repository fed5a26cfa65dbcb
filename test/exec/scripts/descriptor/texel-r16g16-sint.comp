// SPDX-License-Identifier: MIT
// Texel buffers of format r16g16_sint: fetch, size, and stores; views with an offset.
//! requires shaderStorageImageExtendedFormats
//! buffer in i16 : 0..127
//! buffer out i16 : 0*128
//! buffer 0.2 u32 : 0*2
//! bind 0.0 texel in format=r16g16_sint
//! bind 0.1 storage-texel out format=r16g16_sint
//! dispatch 8
//! expect out i16 : eval 16 { in[(7 - i / 2) * 2 + i % 2] }
//! expect 0.2 u32 : 64 64
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform itextureBuffer src;
layout(set = 0, binding = 1, rg16i) uniform writeonly iimageBuffer dst;
layout(set = 0, binding = 2) buffer O { uint o[]; };
void main() {
  int i = int(gl_WorkGroupID.x);
  imageStore(dst, i, texelFetch(src, 7 - i));
  if (i == 0) { o[0] = textureSize(src); o[1] = imageSize(dst); }
}

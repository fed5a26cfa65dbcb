// SPDX-License-Identifier: MIT
// Storage images of format r8g8_sint: load and store, mirrored; loads outside give zero; size.
//! requires shaderStorageImageExtendedFormats
//! image src r8g8_sint 2d 8x4 : i8 -32..31
//! image dst r8g8_sint 2d 8x4 : i8 0*64
//! bind 0.0 storage-image src
//! bind 0.1 storage-image dst
//! buffer 0.2 u32 : 0*2
//! compare dst i8
//! expect 0.2 u32 : 8 4
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0, rg8i) uniform readonly iimage2D src;
layout(set = 0, binding = 1, rg8i) uniform writeonly iimage2D dst;
layout(set = 0, binding = 2) buffer O { uvec2 o; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), s = imageSize(src);
  ivec4 v = imageLoad(src, s - 1 - p);
  imageStore(dst, p, v);
  if (p == ivec2(0)) o = uvec2(s);
}

// SPDX-License-Identifier: MIT
// Storage images of format r8g8b8a8_unorm: load and store, mirrored; loads outside give zero; size.
//! requires shaderStorageImageExtendedFormats
//! image src r8g8b8a8_unorm 2d 8x4 : u8 0..127
//! image dst r8g8b8a8_unorm 2d 8x4 : u8 0*128
//! bind 0.0 storage-image src
//! bind 0.1 storage-image dst
//! buffer 0.2 u32 : 0*2
//! compare dst u8
//! expect 0.2 u32 : 8 4
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0, rgba8) uniform readonly image2D src;
layout(set = 0, binding = 1, rgba8) uniform writeonly image2D dst;
layout(set = 0, binding = 2) buffer O { uvec2 o; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), s = imageSize(src);
  vec4 v = imageLoad(src, s - 1 - p);
  imageStore(dst, p, v);
  if (p == ivec2(0)) o = uvec2(s);
}

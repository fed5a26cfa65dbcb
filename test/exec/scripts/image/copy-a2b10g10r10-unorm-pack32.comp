// SPDX-License-Identifier: MIT
// Storage images of format a2b10g10r10_unorm_pack32: load and store, mirrored; loads outside give zero; size.
//! requires shaderStorageImageExtendedFormats
//! image src a2b10g10r10_unorm_pack32 2d 8x4 : u32 random(7,32)
//! image dst a2b10g10r10_unorm_pack32 2d 8x4 : u32 0*32
//! bind 0.0 storage-image src
//! bind 0.1 storage-image dst
//! buffer 0.2 u32 : 0*2
//! compare dst u32
//! expect 0.2 u32 : 8 4
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0, rgb10_a2) uniform readonly image2D src;
layout(set = 0, binding = 1, rgb10_a2) uniform writeonly image2D dst;
layout(set = 0, binding = 2) buffer O { uvec2 o; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), s = imageSize(src);
  vec4 v = imageLoad(src, s - 1 - p);
  imageStore(dst, p, v);
  if (p == ivec2(0)) o = uvec2(s);
}

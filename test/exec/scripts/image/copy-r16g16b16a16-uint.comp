// SPDX-License-Identifier: MIT
// Storage images of format r16g16b16a16_uint: load and store, mirrored; loads outside give zero; size.
//! requires shaderStorageImageExtendedFormats
//! image src r16g16b16a16_uint 2d 8x4 : u16 0..127
//! image dst r16g16b16a16_uint 2d 8x4 : u16 0*128
//! bind 0.0 storage-image src
//! bind 0.1 storage-image dst
//! buffer 0.2 u32 : 0*2
//! compare dst u16
//! expect 0.2 u32 : 8 4
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0, rgba16ui) uniform readonly uimage2D src;
layout(set = 0, binding = 1, rgba16ui) uniform writeonly uimage2D dst;
layout(set = 0, binding = 2) buffer O { uvec2 o; };
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), s = imageSize(src);
  uvec4 v = imageLoad(src, s - 1 - p);
  imageStore(dst, p, v);
  if (p == ivec2(0)) o = uvec2(s);
}

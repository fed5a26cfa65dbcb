// SPDX-License-Identifier: MIT
// Stores without a format and loads of unsigned integers; outside the image they do nothing and read 0.
//! foreach FORMAT r8_uint r8g8_uint r8g8b8a8_uint r16_uint r16g16_uint r16g16b16a16_uint r32_uint r32g32_uint r32g32b32a32_uint a2b10g10r10_uint_pack32
//! requires shaderStorageImageExtendedFormats
//! requires shaderStorageImageWriteWithoutFormat
//! requires shaderStorageImageReadWithoutFormat
//! image tex ${FORMAT} 2d 8x8
//! bind 0.1 storage-image tex
//! bind 0.4 storage-image tex
//! buffer 0.2 u32 : 0*512
//! dispatch 1
//! compare 0.2 u32
//! compare tex u8
#version 450
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) uniform writeonly uimage2D tex;
layout(set = 0, binding = 4) uniform readonly uimage2D rd;
layout(set = 0, binding = 2) buffer O { uvec4 o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  ivec2 p = ivec2(i % 8, i / 8);
  imageStore(tex, p, uvec4(i, i * 0x01010101u, 255u, 3u));
  imageStore(tex, p + ivec2(100), uvec4(9));
  imageStore(tex, ivec2(-1, 0), uvec4(9));
  memoryBarrierImage();
  barrier();
  o[i] = imageLoad(rd, ivec2(p.y, p.x));
  o[64 + i] = imageLoad(rd, p + ivec2(4, 0));
}

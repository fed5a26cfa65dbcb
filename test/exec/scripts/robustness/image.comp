// SPDX-License-Identifier: MIT
// Images with robustImageAccess2: loads and fetches outside give zeros and one for a missing alpha,
// in every direction, layer and level; stores and atomics outside do nothing.
//! requires robustImageAccess2
//! image flat r32_uint 2d 5x3 : u32 1..15
//! image rgba r8g8b8a8_unorm 2d 4x4 : u8 255*64
//! image layered r32_uint 2d-array 4x2 layers=3 : u32 1..24
//! image deep r32_uint 3d 3x3x3 : u32 1..27
//! image line r32_sint 1d 6 : i32 -1 -2 -3 -4 -5 -6
//! image levels r32_uint 2d 4x4 mips=3 : u32 1..21
//! bind 0.0 storage-image flat
//! bind 0.1 sampled-image rgba
//! bind 0.2 storage-image layered
//! bind 0.3 storage-image deep
//! bind 0.4 storage-image line
//! bind 0.5 sampled-image levels
//! buffer 0.6 u32 : 9*64
//! expect 0.6 u32 : 15 0 0 1  0 0 0 1  0 0 0 1  255 255 255 255  0 0 0 0  0 0 0 0  24 0 0 1  0 0 0 1  0 0 0 1  27 0 0 1  0 0 0 1
//! ... 0 0 0 1  0xfffffffa 0 0 1  0 0 0 1  21 0 0 1  0 0 0 1
//! expect flat u32 : 1..14 16
//! expect layered u32 : 1..24
//! expect deep u32 : 1..27
//! expect line i32 : -1 -2 -3 -4 -5 -6
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D flat_;
layout(set = 0, binding = 1) uniform texture2D rgba;
layout(set = 0, binding = 2, r32ui) uniform uimage2DArray layered;
layout(set = 0, binding = 3, r32ui) uniform uimage3D deep;
layout(set = 0, binding = 4, r32i) uniform iimage1D line;
layout(set = 0, binding = 5) uniform utexture2D levels;
layout(set = 0, binding = 6) buffer O { uvec4 o[]; };
void main() {
  int far = int(gl_NumWorkGroups.x) * 1000000;
  o[0] = imageLoad(flat_, ivec2(4, 2));
  o[1] = imageLoad(flat_, ivec2(5, 0));
  o[2] = imageLoad(flat_, ivec2(-1, 1)) + imageLoad(flat_, ivec2(0, far)) * uvec4(1, 1, 1, 0);
  o[3] = uvec4(texelFetch(rgba, ivec2(3, 3), 0) * 255.0 + 0.5);
  o[4] = uvec4(texelFetch(rgba, ivec2(0, 4), 0) * 255.0 + 0.5);
  o[5] = uvec4(texelFetch(rgba, ivec2(-far, -1), 0) * 255.0 + 0.5);
  o[6] = imageLoad(layered, ivec3(3, 1, 2));
  o[7] = imageLoad(layered, ivec3(0, 0, 3));
  o[8] = imageLoad(layered, ivec3(0, 0, -1));
  o[9] = imageLoad(deep, ivec3(2, 2, 2));
  o[10] = imageLoad(deep, ivec3(0, 0, 3));
  o[11] = imageLoad(deep, ivec3(0, -2, 0));
  o[12] = uvec4(imageLoad(line, 5));
  o[13] = uvec4(imageLoad(line, 6));
  o[14] = texelFetch(levels, ivec2(0, 0), 2);
  o[15] = texelFetch(levels, ivec2(1, 0), 2);
  imageStore(flat_, ivec2(5, 1), uvec4(99));
  imageStore(flat_, ivec2(0, -1), uvec4(99));
  imageStore(flat_, ivec2(-far, 0), uvec4(99));
  imageStore(layered, ivec3(0, 0, 3), uvec4(99));
  imageStore(layered, ivec3(4, 0, 0), uvec4(99));
  imageStore(deep, ivec3(0, 3, 0), uvec4(99));
  imageStore(deep, ivec3(0, 0, far), uvec4(99));
  imageStore(line, 6, ivec4(99));
  imageStore(line, -1, ivec4(99));
  imageAtomicAdd(flat_, ivec2(4, 2), 1u);
  imageAtomicAdd(flat_, ivec2(5, 2), 1u);
  imageAtomicAdd(flat_, ivec2(0, 3), 1u);
}

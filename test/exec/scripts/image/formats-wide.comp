// SPDX-License-Identifier: MIT
// Loads and stores of 64-bit texels: images of every kind and texel buffers, with the format in the shader and without,
// what is outside of them (nothing is stored; loads give 0), and their sizes.
//! requires shaderImageInt64Atomics shaderInt64 robustImageAccess2 robustBufferAccess2
//! foreach FORMAT 1 0
//! image A r64_uint 2d 4x2 : u64 1..8
//! image B r64_sint 3d 2x2x2 : i64 eval 8 { -1 - i }
//! image C r64_uint 2d-array 2x2 layers=2 : u64 eval 8 { 1099511627776 + i }
//! buffer D i64 : -3 -4
//! bind 0.0 storage-image A
//! bind 0.1 storage-image B
//! bind 0.2 storage-image C view=2d-array
//! bind 0.3 storage-texel D format=r64_sint
//! buffer 0.4 i64 : 7*40
//! expect A u64 : bits(0x123456789) bits(0x223456789) bits(0x323456789) bits(0x423456789) bits(0x523456789)
//! ... bits(0x623456789) bits(0x723456789) bits(0x823456789)
//! expect B i64 : -4294967297 -4294967298 -4294967299 -4294967300 -4294967301 -4294967302 -4294967303 -4294967304
//! expect D i64 : -4294967299 -4294967300
//! expect 0.4 i64 : 1..8
//! expect 0.4@64 i64 : eval 8 { -1 - i }
//! expect 0.4@128 i64 : eval 8 { 1099511627776 + i }
//! expect 0.4@192 i64 : -3 -4 0 0 0 0 42 2
//! expect 0.4@256 i64 : 0 0 0 0 0 1 1 1
#version 450
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 8) in;
#if FORMAT
#define AS(format) , format
#else
#define AS(format)
#endif
layout(set = 0, binding = 0 AS(r64ui)) uniform u64image2D a;
layout(set = 0, binding = 1 AS(r64i)) uniform i64image3D b;
layout(set = 0, binding = 2 AS(r64ui)) uniform u64image2DArray c;
layout(set = 0, binding = 3 AS(r64i)) uniform i64imageBuffer d;
layout(set = 0, binding = 4) buffer Out { int64_t o[]; };
void main() {
  int i = int(gl_LocalInvocationIndex);
  ivec2 p = ivec2(i & 3, i >> 2);
  ivec3 q = ivec3(i & 1, i >> 1 & 1, i >> 2);
  u64vec4 first = imageLoad(a, p);
  i64vec4 second = imageLoad(b, q);
  o[i] = int64_t(first.x);
  o[8 + i] = second.x;
  o[16 + i] = int64_t(imageLoad(c, q).x);
  if (i < 2)
    o[24 + i] = imageLoad(d, i).x;
  imageStore(a, p, u64vec4(first.x << 32 | 0x23456789UL, 9, 9, 9));
  imageStore(b, q, i64vec4(second.x - (int64_t(1) << 32)));
  imageStore(a, p + ivec2(4, 0), u64vec4(9));
  imageStore(b, q + ivec3(0, 0, 2), i64vec4(9));
  imageStore(d, i + 2, i64vec4(9));
  if (i < 2)
    imageStore(d, i, i64vec4(-3L - i - (int64_t(1) << 32)));
  if (i == 0) {
    o[26] = int64_t(imageLoad(a, ivec2(4, 0)).x);
    o[27] = imageLoad(b, ivec3(0, -1, 0)).x;
    o[28] = int64_t(imageLoad(c, ivec3(0, 0, 2)).x);
    o[29] = imageLoad(d, 2).x;
    o[30] = imageSize(a).x * 10 + imageSize(a).y;
    o[31] = imageSize(d);
    // What a format of one component does not have.
    o[32] = int64_t(first.y);
    o[33] = int64_t(first.z);
    o[34] = second.y;
    o[35] = second.z;
#if FORMAT
    o[36] = int64_t(imageAtomicAdd(a, ivec2(4, 0), 5UL));
#else
    o[36] = 0;
#endif
    o[37] = int64_t(first.w);
    o[38] = second.w;
    o[39] = imageLoad(d, 0).w;
  }
}

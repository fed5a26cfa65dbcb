// SPDX-License-Identifier: MIT
// Descriptors of images and samplers that are needed in front of a loop that lanes leave one after the other, in it and
// behind it: rows of eight and of four scalar registers, more than there are.
//! subgroup 0 32 64
//! sampler s filter=nearest
//! image image0 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 0 }
//! bind 0.0 combined image0 s
//! image image1 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 1 }
//! bind 0.1 combined image1 s
//! image image2 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 2 }
//! bind 0.2 combined image2 s
//! image image3 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 3 }
//! bind 0.3 combined image3 s
//! image image4 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 4 }
//! bind 0.4 combined image4 s
//! image image5 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 5 }
//! bind 0.5 combined image5 s
//! image image6 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 6 }
//! bind 0.6 combined image6 s
//! image image7 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 7 }
//! bind 0.7 combined image7 s
//! image image8 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 8 }
//! bind 0.8 combined image8 s
//! image image9 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 9 }
//! bind 0.9 combined image9 s
//! image image10 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 10 }
//! bind 0.10 combined image10 s
//! image image11 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 11 }
//! bind 0.11 combined image11 s
//! image image12 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 12 }
//! bind 0.12 combined image12 s
//! image image13 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 13 }
//! bind 0.13 combined image13 s
//! image image14 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 14 }
//! bind 0.14 combined image14 s
//! image image15 r32_uint 2d 8x8 : u32 eval 64 { i * 16 + 15 }
//! bind 0.15 combined image15 s
//! buffer 0.16 u32 : 0*64
//! expect 0.16 u32 : eval 64 { fold(k, 0, 16, 0, acc + (i * 16 + k) * (k + 1) + ((63 - i) * 16 + k) * (k + 3) +
//! ...   fold(n, 0, i % 4, 0, acc + (i + n) % 64 * 16 + k)) }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform usampler2D t0;
layout(set = 0, binding = 1) uniform usampler2D t1;
layout(set = 0, binding = 2) uniform usampler2D t2;
layout(set = 0, binding = 3) uniform usampler2D t3;
layout(set = 0, binding = 4) uniform usampler2D t4;
layout(set = 0, binding = 5) uniform usampler2D t5;
layout(set = 0, binding = 6) uniform usampler2D t6;
layout(set = 0, binding = 7) uniform usampler2D t7;
layout(set = 0, binding = 8) uniform usampler2D t8;
layout(set = 0, binding = 9) uniform usampler2D t9;
layout(set = 0, binding = 10) uniform usampler2D t10;
layout(set = 0, binding = 11) uniform usampler2D t11;
layout(set = 0, binding = 12) uniform usampler2D t12;
layout(set = 0, binding = 13) uniform usampler2D t13;
layout(set = 0, binding = 14) uniform usampler2D t14;
layout(set = 0, binding = 15) uniform usampler2D t15;
layout(set = 0, binding = 16) buffer B { uint b[]; };

#define ALL(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) F(13) F(14) F(15)
#define AT(k, p) textureLod(t##k, (vec2((p) % 8, (p) / 8) + 0.5) / 8, 0).x
#define BEFORE(k) sum += AT(k, i) * (k + 1);
#define LOOPED(k) sum += AT(k, (i + n) % 64);
#define BEHIND(k) sum += AT(k, 63 - i) * (k + 3);

void main() {
  uint i = gl_LocalInvocationIndex, sum = 0;
  ALL(BEFORE)
  for (uint n = 0; n < i % 4; ++n) {
    ALL(LOOPED)
  }
  ALL(BEHIND)
  b[i] = sum;
}

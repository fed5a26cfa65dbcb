// SPDX-License-Identifier: MIT
// Products of bytes which are not only added: code generation has instructions for sums of them.
//! requires shaderInt8 shaderInt64
//! buffer 0.0 u32 : random(21,64)
//! buffer 0.1 u32 : random(22,64)
//! buffer 0.2 u32 : 0*448
//! buffer 0.3 u64 : 0*64
//! expect 0.2 u32 : eval 448 { (i / 64 == 0 ?
//! ...   (b0_0[i%64] & 255) * (b0_1[i%64] & 255) + (((b0_0[i%64] >> 8 & 255) * (b0_1[i%64] >> 8 & 255)) << 8) :
//! ... i / 64 == 1 ?
//! ...   (b0_0[i%64] & 255) * (b0_1[i%64] & 255) + ((b0_0[i%64] >> 8 & 255) * (b0_1[i%64] >> 8 & 255) ^ b0_0[i%64]) :
//! ... i / 64 == 2 ?
//! ...   (b0_0[i%64] & 255) * (b0_1[i%64] & 255) + b0_1[i%64] - (b0_0[i%64] >> 8 & 255) * (b0_1[i%64] >> 8 & 255) :
//! ... i / 64 == 3 ?
//! ...   (b0_0[i%64] & 255) * (b0_1[i%64] & 255) + ((b0_0[i%64] >> 8 & 255) * (b0_1[i%64] >> 8 & 255) & b0_0[i%64]) :
//! ... i / 64 == 4 ?
//! ...   (b0_0[i%64] & 255) * (b0_1[i%64] & 255) + max((b0_0[i%64] >> 8 & 255) * (b0_1[i%64] >> 8 & 255), 30000) :
//! ... i / 64 == 5 ?
//! ...   (b0_0[i%64] & 255) * (b0_1[i%64] & 255) + (b0_0[i%64] >> 8 & 255) * (b0_1[i%64] >> 8 & 255)
//! ...   + (b0_0[i%64] >> 16 & 255) * (b0_1[i%64] >> 16 & 255) + (b0_0[i%64] >> 24) * (b0_1[i%64] >> 24) :
//! ...   ((b0_0[i%64] & 255) * (b0_1[i%64] & 255) + ((b0_0[i%64] >> 8 & 255) * (b0_1[i%64] >> 8 & 255) ^ b0_0[i%64])) & 255)
//! ... & 0xffffffff }
//! expect 0.3 u64 : eval 64 { 0xffffffff00000000 + (b0_0[i] & 255) * (b0_1[i] & 255) + (b0_0[i] >> 8 & 255) * (b0_1[i] >> 8 & 255) }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(set = 0, binding = 3) buffer D { uint64_t d[]; };
void main() {
  uint i = gl_LocalInvocationIndex, x = a[i], y = b[i], at = i;
  uint low = (x & 255u) * (y & 255u), high = (x >> 8 & 255u) * (y >> 8 & 255u);
  c[at] = low + (high << 8); at += 64;
  c[at] = low + (high ^ x); at += 64;
  c[at] = low + (y - high); at += 64;
  c[at] = low + (high & x); at += 64;
  c[at] = low + max(high, 30000u); at += 64;
  c[at] = low + high + (x >> 16 & 255u) * (y >> 16 & 255u) + (x >> 24) * (y >> 24); at += 64;
  uint8_t p = uint8_t(x) * uint8_t(y), q = uint8_t(x >> 8) * uint8_t(y >> 8);
  c[at] = uint(uint8_t(p + (q ^ uint8_t(x))));
  d[i] = 0xffffffff00000000ul + uint64_t(low) + uint64_t(high);
}

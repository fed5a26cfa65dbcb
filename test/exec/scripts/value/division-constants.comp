// SPDX-License-Identifier: MIT
// 64-bit divisions by constants of numbers that have 23, 24 and 32 bits.
//! requires shaderInt64
//! buffer 0.0 u32 : 0xfffffe 0xffffff 0xfffffd 0x7ffffe 0x7fffff 0x7ffffd 0x80000000 0xfffff1 random(51,56)
//! buffer 0.1 i64 : 0*384
//! expect 0.1 i64 : eval 384 { i / 64 == 0 ? floor((b0_0[i%64] & 0xffffff) / 3) :
//! ... i / 64 == 1 ? (b0_0[i%64] & 0xffffff) % 3 :
//! ... i / 64 == 2 ? floor((b0_0[i%64] & 0xffffff) / 641) :
//! ... i / 64 == 3 ? 0 - floor((b0_0[i%64] & 0x7fffff) / 3) :
//! ... i / 64 == 4 ? 0 - floor((b0_0[i%64] & 0x7fffff) / 5) :
//! ... b0_0[i%64] >= 0x80000000 ? 4294967296 - b0_0[i%64] : 0 - b0_0[i%64] }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { int64_t b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint64_t x = uint64_t(a[i] & 0xffffffu);
  int64_t y = -int64_t(a[i] & 0x7fffffu);
  b[i] = int64_t(x / 3ul);
  b[i + 64u] = int64_t(x % 3ul);
  b[i + 128u] = int64_t(x / 641ul);
  b[i + 192u] = y / 3l;
  b[i + 256u] = y / 5l;
  b[i + 320u] = int64_t(int(a[i])) / -1l;
}

// SPDX-License-Identifier: MIT
// Divisions of numbers of 22 to 24 bits, and of 64-bit numbers that have 32.
//! requires shaderInt64
//! buffer 0.0 u32 : 0xfffffe 0xffffff 0xfffffe 0x7ffffe 0xfffffd random(33,59)
//! buffer 0.1 u32 : 3 0xffffff 0xffffff 3 5 random(34,59)
//! buffer 0.2 u32 : 0*256
//! buffer 0.3 i64 : 0*8
//! expect 0.2 u32 : eval 256 { i / 64 == 0 ? (b0_0[i%64] & 0xffffff) / max(b0_1[i%64] & 0xffffff, 1) :
//! ... i / 64 == 1 ? (b0_0[i%64] & 0xffffff) % max(b0_1[i%64] & 0xffffff, 1) :
//! ... i / 64 == 2 ? (b0_0[i%64] & 0x7fffff) / max(b0_1[i%64] & 0xff, 1) :
//! ... (b0_0[i%64] & 0x7fffff) % max(b0_1[i%64] & 0xff, 1) }
//! expect 0.3 i64 : 2147483648 0 -2147483648 0 -4 0 3 1
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(set = 0, binding = 3) buffer D { int64_t d[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint x = a[i] & 0xffffffu, y = max(b[i] & 0xffffffu, 1u), z = max(b[i] & 0xffu, 1u);
  c[i] = x / y;
  c[i + 64] = x % y;
  // Signed numbers of 24 bits.
  c[i + 128] = uint(int(x & 0x7fffffu) / -int(z)) * 0xffffffffu;
  c[i + 192] = uint(int(x & 0x7fffffu) % int(z));
  if (i < 4u) {
    int n = i < 2u ? int(0x80000000u | (a[0] & 1u)) : i == 2u ? -12 : 10;
    int m = i == 0u ? -int(b[0]) / 3 : i == 1u ? int(b[0]) / 3 : 3;
    d[i * 2u] = int64_t(n) / int64_t(m);
    d[i * 2u + 1u] = int64_t(n) % int64_t(m);
  }
}

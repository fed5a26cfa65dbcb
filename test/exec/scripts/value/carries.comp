// SPDX-License-Identifier: MIT
// Carries that are added and whose own carry counts, as in arithmetic of long integers.
//! requires shaderInt64
//! buffer 0.0 u64 : 0xFFFFFFFFFFFFFFFF 1 0xFFFFFFFFFFFFFFFF 0 5 0xFFFFFFFFFFFFFFFE 1 3 random(4,56)
//! buffer 0.1 u64 : 0*128
//! buffer 0.2 u32 : 0xFFFFFFFF 1 0xFFFFFFFF 0 5 0xFFFFFFFE 1 3 random(6,56)
//! buffer 0.3 u32 : 0*128
//! buffer 0.4 u64 : 0*64
//! buffer 0.5 u32 : 0*64
//! compare 0.4 u64
//! compare 0.5 u32
//! compare 0.1 u64
//! compare 0.3 u32
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) readonly buffer A { uint64_t a[]; };
layout(set = 0, binding = 1) buffer B { uint64_t b[]; };
layout(set = 0, binding = 2) readonly buffer C { uint c[]; };
layout(set = 0, binding = 3) buffer D { uint d[]; };
layout(set = 0, binding = 4) buffer E { uint64_t e[]; };
layout(set = 0, binding = 5) buffer F { uint f[]; };
void main() {
  uint i = gl_LocalInvocationIndex * 4;
  uint64_t lo = a[i] + a[i + 1];
  uint64_t c1 = lo < a[i] ? 1ul : 0ul;
  uint64_t hi = a[i + 2] + a[i + 3];
  uint64_t hi2 = hi + c1;
  uint64_t c2 = hi2 < hi ? 1ul : 0ul;
  uint64_t c3 = hi < a[i + 2] ? 1ul : 0ul;
  b[i] = lo; b[i + 1] = hi2; b[i + 2] = c2; b[i + 3] = c2 + c3;
  uint k1, k2, k3;
  uint l = uaddCarry(c[i], c[i + 1], k1);
  uint h = uaddCarry(c[i + 2] + c[i + 3], k1, k2);
  uint s = c[i + 2] + c[i + 3];
  uint s2 = s + k1;
  d[i] = l; d[i + 1] = h; d[i + 2] = k2; d[i + 3] = s2 < s ? 1 : 0;

  uint64_t low = a[i] - a[i + 1];
  uint64_t b1 = a[i] < a[i + 1] ? 1ul : 0ul;
  uint64_t high = a[i + 2] - a[i + 3];
  uint64_t high2 = high - b1;
  e[i] = low; e[i + 1] = high2; e[i + 2] = high < b1 ? 1ul : 0ul;
  e[i + 3] = high2 > high ? 1ul : 0ul;
  uint m1, m2;
  f[i] = usubBorrow(c[i], c[i + 1], m1);
  f[i + 1] = usubBorrow(c[i + 2] - c[i + 3], m1, m2);
  f[i + 2] = m2;
  f[i + 3] = c[i + 2] - c[i + 3] < m1 ? 3 : 4;
}

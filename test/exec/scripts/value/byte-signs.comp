// SPDX-License-Identifier: MIT
// Bytes of shifted numbers, some of them sign alone, put together.
//! buffer 0.0 u32 : random(32,64)
//! buffer 0.1 u32 : 0*64
//! buffer 0.2 u32 : 0*64
//! expect 0.1 u32 : eval 64 { (b0_0[i] >> 8 & 0xff00) | (b0_0[i] & 0xff000000) | (b0_0[i] >> 24) | (b0_0[i] >> 31 ? 0xff0000 : 0) }
//! expect 0.2 u32 : eval 64 { (b0_0[i] & 0xff) | (b0_0[i] >> 31 ? 0xffffff00 : 0) }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
void main() {
  uint i = gl_LocalInvocationIndex, x = a[i];
  int e = int(x) >> 8;
  b[i] = ((x >> 8) & 0xff00u) | (x & 0xff000000u) | ((uint(e) >> 16) & 255u) | ((uint(e) >> 8) & 0xff0000u);
  c[i] = (x & 0xffu) | (uint(int(x) >> 24 >> 7) & 0xffffff00u);
}

// SPDX-License-Identifier: MIT
// Sums of bytes and 16-bit halves of registers.
//! buffer 0.0 u32 : random(21,64)
//! buffer 0.1 u32 : 0*64
//! compare 0.1 u32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex, v = a[i];
  int s = int(v << 16) >> 16, t = int(v) >> 16;
  b[i] = (v & 0xFFFF) + (v >> 16) + uint(s * t) + ((v >> 8) & 0xFF) * (v & 0xFF) +
         uint(int(v << 24) >> 24) + uint(int(v << 8) >> 24);
}

// SPDX-License-Identifier: MIT
// Products of numbers that are known to have 24 bits, or nearly: the lower 32 bits of up to 48, 49 and 50.
//! buffer 0.0 u32 : 0xFFFFFFFF 0xFFFFFF 0x1000000 0xFEFFFFFF 0x123456 0xABCDEF 0x800000 0x1FFFFFF random(9,120)
//! buffer 0.1 u32 : 0*384
//! compare 0.1 u32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer O { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint x = a[i], y = a[i + 64];
  o[i] = (x & 0xFFFFFFu) * (y >> 8);
  o[i + 64] = (x & 0x1FFFFFFu) * (y >> 8);
  o[i + 128] = (x >> 8) * 0xFFFFFFu + (y >> 8) * 17u;
  o[i + 192] = (x >> 8) * 0x1000001u;
  o[i + 256] = uint(bitfieldExtract(int(x), 0, 24) * int(y & 0xFFFFu));
  o[i + 320] = (i * 1000u + 7u) * (x & 0xFFFu);
}

// SPDX-License-Identifier: MIT
// Atomics on texels of an image of type uint.
//! image img r32_uint 2d 4x2 : u32 0 1000 0 100 0 0 255 3
//! bind 0.0 storage-image img
//! expect img u32 : 2016 2024 66 3 1048575 0 240 7
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D img;
void main() {
  uint i = uint(gl_LocalInvocationIndex);
  imageAtomicAdd(img, ivec2(0, 0), i);
  imageAtomicAdd(img, ivec2(1, 0), uint(16));
  imageAtomicMax(img, ivec2(2, 0), i + uint(3));
  imageAtomicMin(img, ivec2(3, 0), uint(66) - i);
  imageAtomicOr(img, ivec2(0, 1), uint(1) << (i % uint(20)));
  imageAtomicXor(img, ivec2(1, 1), i);
  imageAtomicAnd(img, ivec2(2, 1), ~(uint(1) << (i % uint(4))));
  if (i == uint(5)) { imageAtomicCompSwap(img, ivec2(3, 1), uint(3), uint(7)); imageAtomicCompSwap(img, ivec2(3, 1), uint(3), uint(9)); }
}

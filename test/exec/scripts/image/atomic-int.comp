// SPDX-License-Identifier: MIT
// Atomics on texels of an image of type int.
//! image img r32_sint 2d 4x2 : i32 0 1000 0 100 0 0 255 3
//! bind 0.0 storage-image img
//! expect img i32 : 2016 2024 66 3 1048575 0 240 7
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32i) uniform iimage2D img;
void main() {
  int i = int(gl_LocalInvocationIndex);
  imageAtomicAdd(img, ivec2(0, 0), i);
  imageAtomicAdd(img, ivec2(1, 0), int(16));
  imageAtomicMax(img, ivec2(2, 0), i + int(3));
  imageAtomicMin(img, ivec2(3, 0), int(66) - i);
  imageAtomicOr(img, ivec2(0, 1), int(1) << (i % int(20)));
  imageAtomicXor(img, ivec2(1, 1), i);
  imageAtomicAnd(img, ivec2(2, 1), ~(int(1) << (i % int(4))));
  if (i == int(5)) { imageAtomicCompSwap(img, ivec2(3, 1), int(3), int(7)); imageAtomicCompSwap(img, ivec2(3, 1), int(3), int(9)); }
}

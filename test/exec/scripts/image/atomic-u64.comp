// SPDX-License-Identifier: MIT
// Atomics on 64-bit texels of images and texel buffers, of type uint64_t: both halves count, carries go from one to the
// other, and the largest and least are those of unsigned numbers.
//! requires shaderImageInt64Atomics shaderInt64 shaderBufferInt64Atomics
//! image img r64_uint 2d 4x3 : u64 bits(0xFFFFFFFF) bits(0x100000000) bits(0x7FFFFFFFFFFFFFFF) bits(0x8000000000000001) bits(0x0) bits(0xF0F0F0F0F0F0F0F0)
//! ... bits(0xFFFFFFFFFFFFFFFF) bits(0x3) bits(0x5) bits(0x100000007) bits(0x0) bits(0xB)
//! buffer T u64 : bits(0xFFFFFFFF) bits(0x100000000) bits(0x7FFFFFFFFFFFFFFF) bits(0x8000000000000001) bits(0x0) bits(0xF0F0F0F0F0F0F0F0)
//! ... bits(0xFFFFFFFFFFFFFFFF) bits(0x3) bits(0x5) bits(0x100000007) bits(0x0) bits(0xB)
//! bind 0.0 storage-image img
//! bind 0.1 storage-texel T format=r64_uint
//! buffer 0.2 u64 : 0 0
//! expect img u64 : bits(0x7E1000007DF) bits(0xFFFFFC00) bits(0x800000000000003F) bits(0x100000005) bits(0xFFFFFFFFFFFFFFFF) bits(0xF0F0F0F0F0F0F0F)
//! ... bits(0xFFFFFFE00FFFFFFF) bits(0x4000000043) bits(0xFFFFFFFFFFFFFFFF) bits(0x100000007) bits(0x123456780000000B) bits(0xB)
//! expect T u64 : bits(0x7E1000007DF) bits(0xFFFFFC00) bits(0x800000000000003F) bits(0x100000005) bits(0xFFFFFFFFFFFFFFFF) bits(0xF0F0F0F0F0F0F0F)
//! ... bits(0xFFFFFFE00FFFFFFF) bits(0x4000000043) bits(0xFFFFFFFFFFFFFFFF) bits(0x100000007) bits(0x123456780000000B) bits(0xB)
//! expect 0.2 u64 : bits(0x7E0000007E5) bits(0x7E0000007E5)
#version 450
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_KHR_memory_scope_semantics : require
#define T uint64_t
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r64ui) uniform coherent u64image2D img;
layout(set = 0, binding = 1, r64ui) uniform coherent u64imageBuffer texels;
layout(set = 0, binding = 2) buffer Sums { uint64_t sums[2]; };
const T both = T(0x100000001UL), one = T(1);
#define PLACE(i) ivec2((i) % 4, (i) / 4)
#define INDEX(i) (i)
#define OPERATIONS(image, at, sum)                                                  \
  imageAtomicAdd(image, at(0), i * both);                                           \
  imageAtomicAdd(image, at(1), T(-16L));                                            \
  imageAtomicMax(image, at(2), T(0x8000000000000000UL) + i);                        \
  imageAtomicMin(image, at(3), T(0x100000005UL) + i);                               \
  imageAtomicOr(image, at(4), one << i);                                            \
  imageAtomicXor(image, at(5), one << i);                                           \
  imageAtomicAnd(image, at(6), ~(one << (i % T(9) + T(28))));                       \
  T seen = T(3), assumed;                                                           \
  do {                                                                              \
    assumed = seen;                                                                 \
    seen = imageAtomicCompSwap(image, at(7), assumed, assumed + both);              \
  } while (seen != assumed);                                                        \
  atomicAdd(sum, uint64_t(imageAtomicExchange(image, at(8), i * both)));            \
  barrier();                                                                        \
  memoryBarrierImage();                                                             \
  if (gl_LocalInvocationIndex == 0) {                                               \
    atomicAdd(sum, uint64_t(imageAtomicExchange(image, at(8), T(-1L))));            \
    imageAtomicCompSwap(image, at(9), T(0x200000007UL), one);                       \
    imageAtomicCompSwap(image, at(9), T(0x100000008UL), one);                       \
    T eleven = imageAtomicLoad(image, at(11), gl_ScopeDevice, 0, 0);                \
    imageAtomicStore(image, at(10), T(0x1234567800000000UL) + eleven, gl_ScopeDevice, 0, 0); \
  }
void main() {
  T i = T(gl_LocalInvocationIndex);
  { OPERATIONS(img, PLACE, sums[0]) }
  { OPERATIONS(texels, INDEX, sums[1]) }
}

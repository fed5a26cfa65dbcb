// SPDX-License-Identifier: MIT
// 64-bit sums and differences of what fills only the low half: carries into a high half that is a sum.
//! requires shaderInt64
//! buffer 0.0 u32 : 0xFFFFFFFF 0xFFFFFFFE 1 5 0xFFFFFFFF 0xFFFFFFFF 0 1 random(6,56)
//! buffer 0.1 u64 : 0*64
//! compare 0.1 u64
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint64_t b[]; };
void main() {
  uint i = gl_LocalInvocationIndex * 4;
  uint64_t x = uint64_t(a[i]) | uint64_t(a[i + 1] + a[i + 2]) << 32;
  uint64_t y = uint64_t(a[i + 3]);
  uint64_t s = x + y;
  b[i] = s; b[i + 1] = s < x ? 1ul : 0ul;
  uint64_t z = uint64_t(a[i]) | uint64_t(a[i + 1] - a[i + 2]) << 32;
  uint64_t d = z - y;
  b[i + 2] = d; b[i + 3] = z < y ? 1ul : 0ul;
}

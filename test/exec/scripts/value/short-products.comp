// SPDX-License-Identifier: MIT
// 64-bit sums with products of numbers of 24 bits, which are masked out of others.
//! requires shaderInt64
//! buffer 0.0 u32 : random(37,64)
//! buffer 0.1 i64 : 0*128
//! expect 0.1 i64 : eval 128 { i / 32 == 0 ? (b0_0[i%32*2] & 0xffffff) * (b0_0[i%32*2+1] & 0xffffff) + b0_0[i%32*2] :
//! ... i / 32 == 1 ? (b0_0[i%32*2] & 0xffffff) * 12345 + b0_0[i%32*2+1] :
//! ... i / 32 == 2 ? (b0_0[i%32*2] & 0x7fffff) * (b0_0[i%32*2+1] & 0xffff) + 7 : (b0_0[i%32*2] & 0xfff) * (b0_0[i%32*2+1] & 0xffff) + 9 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint64_t b[]; };
void main() {
  uint i = gl_LocalInvocationIndex, x = a[i * 2u], y = a[i * 2u + 1u];
  b[i] = uint64_t(x & 0xffffffu) * uint64_t(y & 0xffffffu) + uint64_t(x);
  b[i + 32u] = uint64_t(x & 0xffffffu) * 12345ul + uint64_t(y);
  b[i + 64u] = uint64_t(x & 0x7fffffu) * uint64_t(y & 0xffffu) + 7ul;
  b[i + 96u] = uint64_t(x & 0xfffu) * uint64_t(y & 0xffffu) + 9ul;
}

// SPDX-License-Identifier: MIT
// OR with 64-bit numbers whose halves are found to be all ones.
//! requires shaderInt64
//! buffer 0.0 u32 : random(71,128)
//! buffer 0.1 i64 : 0*129
//! expect 0.1 i64 : eval 129 { i < 64 ? 0 - 1 : i == 64 ? 0 :
//! ... (b0_0[(i-65)*2] | (0xfffffff8 - (b0_0[(i-65)*2+1] & 0xfffffff8) + (b0_0[(i-65)*2+1] & 7))) - 4294967296 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { int64_t b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint y = a[i * 2u + 1u];
  int64_t x = int64_t(a[i * 2u]) | int64_t(0x8000000000000000ul);
  int64_t sign = x >> 63;
  if (a[0] == 77u)
    b[64] = 1l;
  else
    b[i] = sign | int64_t(y);
  i64vec2 v = i64vec2(int64_t(a[i * 2u]));
  if (y != 0u)
    v |= i64vec2(int64_t(-8) ^ int64_t(y));
  b[i + 65u] = v.y;
}

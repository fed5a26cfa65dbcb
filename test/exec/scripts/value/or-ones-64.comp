// SPDX-License-Identifier: MIT
// OR with a 64-bit number that is found to be all ones.
//! requires shaderInt64
//! buffer 0.0 u32 : random(71,128)
//! buffer 0.1 i64 : 0*65
//! expect 0.1 i64 : eval 65 { i < 64 ? 0 - 1 : 0 }
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
}

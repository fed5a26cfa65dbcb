// SPDX-License-Identifier: MIT
// Bytes that 16-bit shifts fill with the sign, put together with others.
//! requires shaderInt16
//! buffer 0.0 u32 : random(91,64)
//! buffer 0.1 u32 : 0*64
//! expect 0.1 u32 : eval 64 { (b0_0[i] >> 15 & 1 ? 0xff00 : 0) | (b0_0[63-i] & 0xffff00ff) }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  int16_t sign = int16_t(a[i]) >> int16_t(8);
  b[i] = (uint(uint16_t(sign)) & 0xff00u) | (a[63u - i] & 0xffff00ffu);
}

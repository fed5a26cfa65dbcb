// SPDX-License-Identifier: MIT
// 16-bit integers in workgroup memory keep their sign.
//! requires shaderInt16
//! buffer 0.0 i32 : eval 64 { (i - 32) * 1000 }
//! expect 0.0 i32 : eval 64 { (31 - i) * 1000 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { int a[]; };
shared int16_t s[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  s[i] = int16_t(a[i]);
  barrier();
  a[i] = int(s[63 - i]);
}

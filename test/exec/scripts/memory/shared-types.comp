// SPDX-License-Identifier: MIT
// Workgroup memory of every width, written by one wave and read by another.
//! requires shaderInt8 shaderInt16 shaderInt64 shaderFloat64 shaderFloat16
//! buffer 0.0 u32 : 0*128
//! expect 0.0 u32 : eval 128 { ((127 - i) & 255) + (127 - i) * 3 + (127 - i) * 5 + (127 - i) + (127 - i) }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
struct S { uint16_t x; uint8_t y; uint64_t z; };
shared S s[128];
shared double d[128];
shared f16vec3 h[128];
void main() {
  uint i = gl_LocalInvocationID.x, j = 127 - i;
  s[i].x = uint16_t(i * 3);
  s[i].y = uint8_t(i);
  s[i].z = uint64_t(i) * 5ul + 0x100000000ul;
  d[i] = double(i);
  h[i] = f16vec3(0.0, float16_t(i), 1.0);
  barrier();
  b[i] = uint(s[j].y) + uint(s[j].x) + uint(s[j].z - 0x100000000ul) + uint(d[j]) + uint(h[j].y);
}

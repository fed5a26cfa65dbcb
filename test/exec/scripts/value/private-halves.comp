// SPDX-License-Identifier: MIT
// Conditions of halves and bytes of private arrays in memory: those of each invocation.
//! requires shaderInt16 shaderInt8
//! buffer 0.0 u32 : random(17,64)
//! buffer 0.1 u32 : 0*256
//! expect 0.1 u32 : eval 256 { (b0_0[i%64] & 7) == 1 ? 5 : 9 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
uint choose(uint x) {
  uint result = 5u;
  if ((x & 7u) != 1u)
    for (uint k = 0u; k < (a[0] & 3u) + 1u; ++k)
      result = 9u;
  return result;
}
void main() {
  uint i = gl_LocalInvocationIndex;
  uint16_t halves[200];
  uint8_t bytes[200];
  u16vec3 threes[100];
  for (uint k = 0u; k < 200u; ++k) {
    halves[k] = uint16_t(a[i]);
    bytes[k] = uint8_t(a[i]);
  }
  for (uint k = 0u; k < 100u; ++k)
    threes[k] = u16vec3(a[i]);
  uint other = a[i] % 4u;
  halves[other] = 7us;
  bytes[other] = uint8_t(7);
  threes[other] = u16vec3(7us);
  b[i] = choose(pack32(u16vec2(halves[5], 0us)));
  b[i + 64u] = choose(pack32(u16vec2(0us, halves[9])) >> 16);
  b[i + 128u] = choose(pack32(u16vec2(uint16_t(bytes[7]), 0us)));
  b[i + 192u] = choose(pack32(threes[6].yx));
}

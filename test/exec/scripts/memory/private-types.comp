// SPDX-License-Identifier: MIT
// Private arrays that registers do not hold, of elements of all sizes; elements of vectors by computed numbers.
//! requires shaderInt64 shaderInt16 shaderInt8
//! subgroup 0 32 64
//! buffer 0.0 u32 : 0*320
//! buffer 0.1 u32 : 5 2 1 0
//! expect 0.0 u32 : eval 64 { (i * 5 + 5) % 256 }
//! expect 0.0@256 u32 : eval 64 { 65536 - 1000 - i * 7 }
//! expect 0.0@512 u32 : eval 64 { i * 3 + 2 + i }
//! expect 0.0@768 u32 : eval 64 { 100 + i % 4 * 11 + (i % 3 == 2 ? 7 : 50 + 2) }
//! expect 0.0@1024 u32 : eval 64 { i + 90 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer O { uint o[320]; };
layout(set = 0, binding = 1) readonly buffer P { uint at[4]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uint8_t bytes[150];
  uint16_t shorts[150];
  uint64_t wide[150];
  uvec3 threes[150];
  for (uint k = 0; k < 150; ++k) {
    bytes[k] = uint8_t(k * i + 5);
    shorts[k] = uint16_t(-int(k * 7 + 1000));
    wide[k] = (uint64_t(k * 3) << 32) + i;
    threes[k] = uvec3(k, k + 1, k + i);
  }
  o[i] = uint(bytes[at[0]]);
  o[64 + i] = uint(shorts[i]);
  uint64_t w = wide[i];
  o[128 + i] = uint(w >> 32) + uint(w) + at[1];
  uvec4 v = uvec4(100, 111, 122, 133);
  uvec3 u = uvec3(50 + at[1]);
  u[at[2] + 1] = 7;
  o[192 + i] = v[i % 4] + u[i % 3];
  o[256 + i] = threes[90][at[1]];
}

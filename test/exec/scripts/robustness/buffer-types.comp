// SPDX-License-Identifier: MIT
// robustBufferAccess2 for every width: what lies beyond the end of the range is zero, whatever the
// buffer has there; stores there do nothing. The range ends at byte 64.
//! requires robustBufferAccess2 shaderInt8 shaderInt16 shaderInt64
//! requires storageBuffer8BitAccess storageBuffer16BitAccess
//! foreach T uint8_t uint16_t uint32_t uint64_t u16vec2 u16vec4 u8vec4
//! buffer data u8 : 3*1088
//! buffer 0.1 u32 : 9*64
//! bind 0.0 storage data range=64
//! expect 0.1 u32 : 1*64
//! expect data u8 : eval 1088 { i < 64 ? 5 : 3 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer A { T a[]; };
layout(set = 0, binding = 1) buffer O { uint o[]; };
#define BYTES(n) (uint64_t(0x0101010101010101ul) * n)
void main() {
  uint i = gl_LocalInvocationID.x, n = a.length();
  T old = a[i];
  bool right = i < n ? old == T(BYTES(3)) : old == T(0);
  a[i] = T(BYTES(5));
  a[i + 0x7ffffffu] = T(BYTES(7));
  memoryBarrierBuffer();
  T now = a[i];
  right = right && (i < n ? now == T(BYTES(5)) : now == T(0));
  o[i] = right ? 1 : 2;
}

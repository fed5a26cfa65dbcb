// SPDX-License-Identifier: MIT
// 8-bit members: structures, vectors, arrays, and stores that must not touch their neighbours.
//! requires shaderInt8 storageBuffer8BitAccess
//! buffer 0.0 u8 : random(9,64)
//! buffer 0.1 u8 : 1..64
//! dispatch 1
//! expect 0.1 u8 : eval 64 { i % 4 == 1 ? b0_0[i] + b0_0[i - 1] : i % 4 == 2 ? b0_0[i + 1] * 3 : i + 1 }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 16) in;
struct S { uint8_t x; u8vec2 y; uint8_t z; };
layout(set = 0, binding = 0, scalar) readonly buffer A { uint8_t a[]; };
layout(set = 0, binding = 1, scalar) buffer B { S b[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  b[i].y = u8vec2(a[4 * i + 1] + a[4 * i], a[4 * i + 3] * uint8_t(3));
}

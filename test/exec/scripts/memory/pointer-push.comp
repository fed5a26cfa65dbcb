// SPDX-License-Identifier: MIT
// Pointers with alignments from 1 to 16 through a table in a buffer; 64-bit pointer arithmetic.
//! requires bufferDeviceAddress shaderInt64 shaderInt8 storageBuffer8BitAccess
//! buffer data u8 : 0..255
//! buffer 0.0 u64 : 0
//! buffer 0.1 u32 : 0*64
//! address 0.0@0 data
//! expect 0.1 u32 : eval 64 { data[i * 3 + 1] + data[i * 2] * 256 }
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 1) buffer Byte { uint8_t v; };
layout(set = 0, binding = 0) buffer A { uint64_t base; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  b[i] = uint(Byte(base + i * 3 + 1).v) + uint(Byte(base + 2ul * i).v) * 256;
}

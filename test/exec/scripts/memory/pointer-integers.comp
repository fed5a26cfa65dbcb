// SPDX-License-Identifier: MIT
// Addresses as integers and back: differences, arithmetic, pairs of words.
//! requires bufferDeviceAddress shaderInt64
//! buffer data u32 : 100..163
//! buffer 0.0 u64 : 0
//! address 0.0@0 data
//! buffer 0.1 u32 : 9*64
//! expect 0.1 u32 : eval 64 { 163 - i + (4 * i << 8) }
#version 450
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { uint value; };
layout(set = 0, binding = 0) buffer A { Word start; };
layout(set = 0, binding = 1) buffer O { uint o[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  uint64_t base = uint64_t(start), far = base + 4 * (63 - i);
  Word word = Word(far);
  uvec2 halves = uvec2(start + i);
  uint64_t other = packUint2x32(halves);
  o[i] = word.value + (uint(other - base) << 8);
}

// SPDX-License-Identifier: MIT
// Workgroup memory as blocks with explicit layouts that lie over each other: dwords written, bytes,
// halves and scalar-packed vectors read. x86 is little-endian, and so is the hardware.
//! requires workgroupMemoryExplicitLayout workgroupMemoryExplicitLayout8BitAccess
//! requires workgroupMemoryExplicitLayout16BitAccess workgroupMemoryExplicitLayoutScalarBlockLayout
//! requires VK_KHR_workgroup_memory_explicit_layout shaderInt8 shaderInt16
//! buffer 0.0 u32 : 0*64
//! expect 0.0 u32 : eval 64 { 16*i + (16*i + 1 << 16) + (63 - i) * 1000 }
#version 450
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared layout(scalar) X { uint words[192]; };
shared layout(scalar) Y { uint8_t bytes[768]; };
shared layout(scalar) Z { uint16_t halves[384]; };
shared layout(scalar) W { uvec3 triples[64]; };
void main() {
  uint i = gl_LocalInvocationIndex, j = 63 - i;
  words[i * 3] = i * 16 | (i * 16 + 1) << 16;
  words[i * 3 + 1] = 0xFFFFFF00u;
  words[i * 3 + 2] = i * 1000;
  barrier();
  uint low = uint(halves[i * 6]) + (uint(halves[i * 6 + 1]) << 16);
  uint byteSum = uint(bytes[i * 12 + 4]) + (uint(bytes[i * 12 + 5]) - 255u);
  b[i] = low + byteSum + triples[j].z;
}

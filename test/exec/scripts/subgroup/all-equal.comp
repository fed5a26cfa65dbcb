// SPDX-License-Identifier: MIT
// subgroupAllEqual of every type: one lane differs in one bit of one component, or none does. As
// floating-point numbers, zeros of both signs are equal.
//! requires subgroupSizeControl shaderSubgroupExtendedTypes shaderInt8 shaderInt16 shaderInt64
//! requires shaderFloat16 shaderFloat64
//! subgroup 8 32 64
//! buffer x u32 : 0*64 0*37 1 0*26 0*90 1 0*37
//! buffer 0.1 u32 : 0*256
//! bind 0.0 storage x
//! dispatch 4
//! expect 0.1 u32 : eval 256 { (fold(j, i/SG*SG, i/SG*SG+SG, 0, acc | x[j]) ? 0 : 0x7ff) | 0x800 }
#version 450
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer R { uint r[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, v = x[i], n = 0;
  n |= uint(subgroupAllEqual(int8_t(v))) | uint(subgroupAllEqual(u8vec3(5, v, 6))) << 1;
  n |= uint(subgroupAllEqual(uint16_t(v << 15))) << 2 | uint(subgroupAllEqual(i16vec2(7, v))) << 3;
  n |= uint(subgroupAllEqual(uvec4(1, 2, 3, v << 31))) << 4;
  n |= uint(subgroupAllEqual(uint64_t(v) << 63)) << 5 | uint(subgroupAllEqual(i64vec2(v, 9))) << 6;
  n |= uint(subgroupAllEqual(float16_t(v))) << 7 | uint(subgroupAllEqual(vec3(1.5, v, 2.5))) << 8;
  n |= uint(subgroupAllEqual(double(v))) << 9 | uint(subgroupAllEqual(bvec2(true, v != 0))) << 10;
  n |= uint(subgroupAllEqual(uintBitsToFloat(i << 31))) << 11;
  r[i] = n;
}

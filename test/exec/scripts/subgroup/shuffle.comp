// SPDX-License-Identifier: MIT
// Shuffles with uniform and differing lanes, of several types; broadcasts; quads.
//! requires shaderSubgroupExtendedTypes shaderInt64 shaderFloat64 shaderInt16 shaderInt8 shaderFloat16
//! subgroup 0 32 64
//! foreach T uint float int64_t double uint16_t uint8_t float16_t
//! buffer 0.0 u32 : 0*640
//! expect 0.0 u32 : eval 640 { i / 64 == 0 ? i % 64 - i % SG + (i % SG) / 2 : i / 64 == 1 ? (i % 64 ^ 5) : i / 64 == 2 ? i % 64 - (i % SG < 3 ? 0 : 3) :
//! ... i / 64 == 3 ? i % 64 + (i % SG + 2 < SG ? 2 : 0) : i / 64 == 4 ? i % 64 - i % SG + 6 : i / 64 == 5 ? i % 64 - i % SG :
//! ... i / 64 == 6 ? (i % 64 & ~3) + 2 : i / 64 == 7 ? (i % 64 ^ 1) : i / 64 == 8 ? (i % 64 ^ 2) : (i % 64 ^ 3) }
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID;
  T v = T(i);
  b[i] = uint(subgroupShuffle(v, lane / 2));
  // Of lanes that the subgroup does not have nothing is known.
  b[64 + i] = gl_SubgroupSize >= 8 ? uint(subgroupShuffleXor(v, 5)) : i ^ 5;
  T up = subgroupShuffleUp(v, 3), down = subgroupShuffleDown(v, 2);
  b[128 + i] = uint(lane < 3 ? v : up);
  b[192 + i] = uint(lane + 2 < gl_SubgroupSize ? down : v);
  b[256 + i] = gl_SubgroupSize >= 8 ? uint(subgroupBroadcast(v, 6)) : i - lane + 6;
  b[320 + i] = uint(subgroupBroadcastFirst(v));
  b[384 + i] = uint(subgroupQuadBroadcast(v, 2));
  b[448 + i] = uint(subgroupQuadSwapHorizontal(v));
  b[512 + i] = uint(subgroupQuadSwapVertical(v));
  b[576 + i] = uint(subgroupQuadSwapDiagonal(v));
}

// SPDX-License-Identifier: MIT
// Quads: broadcast of each lane and swaps, every type; also where only some quads take part.
//! requires subgroupSizeControl shaderSubgroupExtendedTypes shaderInt8 shaderInt16 shaderInt64
//! requires shaderFloat16 shaderFloat64 storageBuffer8BitAccess storageBuffer16BitAccess
//! subgroup 8 32 64
//! foreach T i8 u16 i32 i64 f16 f32 f64
//! buffer x ${T} : random(23,64)
//! buffer 0.1 ${T} : 0*512
//! bind 0.0 storage x
//! expect 0.1 ${T} : eval 512 { i/64 < 4 ? x[i%64/4*4 + i/64] : i/64 < 7 ? x[i%64 ^ (i/64 - 3)] :
//! ... i%64/4%3 == 0 ? x[i%64 ^ 3] : i%64/4%3 == 1 ? x[i%64/4*4 + 2] : x[i%64 ^ 1] }
#version 450
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
#define i8 int8_t
#define u16 uint16_t
#define i32 int
#define i64 int64_t
#define f16 float16_t
#define f32 float
#define f64 double
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer X { T x[]; };
layout(set = 0, binding = 1) buffer R { T r[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  T v = x[i];
  r[i] = subgroupQuadBroadcast(v, 0);
  r[64 + i] = subgroupQuadBroadcast(v, 1);
  r[128 + i] = subgroupQuadBroadcast(v, 2);
  r[192 + i] = subgroupQuadBroadcast(v, 3);
  r[256 + i] = subgroupQuadSwapHorizontal(v);
  r[320 + i] = subgroupQuadSwapVertical(v);
  r[384 + i] = subgroupQuadSwapDiagonal(v);
  if (i / 4 % 3 == 0) r[448 + i] = subgroupQuadSwapDiagonal(v);
  else if (i / 4 % 3 == 1) r[448 + i] = subgroupQuadBroadcast(v, 2);
  else r[448 + i] = subgroupQuadSwapHorizontal(v);
}

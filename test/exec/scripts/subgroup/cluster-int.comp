// SPDX-License-Identifier: MIT
// Clustered reductions of integers, with clusters that end in the middle of a partial subgroup and
// with lanes of a cluster on three ways through the shader.
//! requires subgroupSizeControl shaderSubgroupExtendedTypes shaderInt8 shaderInt16 shaderInt64
//! requires storageBuffer8BitAccess storageBuffer16BitAccess
//! subgroup 8 32 64
//! foreach T i8 u16 i32 u32 i64
//! buffer x ${T} : random(9,70)
//! buffer 0.1 ${T} : 0*280
//! buffer 0.2 ${T} : 0*280
//! buffer 0.3 ${T} : 0*280
//! buffer 0.4 ${T} : 0*280
//! bind 0.0 storage x
//! expect 0.1 ${T} : eval 280 { fold(j, i%70>>i/70<<i/70, min((i%70>>i/70<<i/70)+(1<<i/70),70), 0, acc + x[j]) }
//! expect 0.2 ${T} : eval 280 { fold(j, i%70>>i/70<<i/70, min((i%70>>i/70<<i/70)+(1<<i/70),70), 1, acc * x[j]) }
//! expect 0.3 ${T} : eval 280 { fold(j, i%70>>i/70<<i/70, min((i%70>>i/70<<i/70)+(1<<i/70),70), 0, acc ^ x[j]) }
//! expect 0.4 ${T} : eval 280 { i < 70 ? fold(j, i%70/4*4, min(i%70/4*4+4,70), ~0, j%3==i%70%3 ? acc & x[j] : acc) :
//! ... i < 140 ? fold(j, i%70/8*8, min(i%70/8*8+8,70), 0, j%3==i%70%3 ? acc | x[j] : acc) :
//! ... i < 210 ? fold(j, i%70/8*8, min(i%70/8*8+8,70), x[i%70], j%3==i%70%3 ? min(acc, x[j]) : acc) :
//! ... fold(j, i%70/2*2, min(i%70/2*2+2,70), x[i%70], j%3==i%70%3 ? max(acc, x[j]) : acc) }
#version 450
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#define i8 int8_t
#define u16 uint16_t
#define i32 int
#define u32 uint
#define i64 int64_t
layout(local_size_x = 70) in;
layout(set = 0, binding = 0) readonly buffer X { T x[]; };
layout(set = 0, binding = 1) buffer R1 { T r1[]; };
layout(set = 0, binding = 2) buffer R2 { T r2[]; };
layout(set = 0, binding = 3) buffer R3 { T r3[]; };
layout(set = 0, binding = 4) buffer R4 { T r4[]; };
#define SIZES(r, op) \
  r[i] = subgroupClustered##op(v, 1); r[70 + i] = subgroupClustered##op(v, 2); \
  r[140 + i] = subgroupClustered##op(v, 4); r[210 + i] = subgroupClustered##op(v, 8);
void apart(uint i, T v) {
  r4[i] = subgroupClusteredAnd(v, 4); r4[70 + i] = subgroupClusteredOr(v, 8);
  r4[140 + i] = subgroupClusteredMin(v, 8); r4[210 + i] = subgroupClusteredMax(v, 2);
}
void main() {
  uint i = gl_LocalInvocationID.x;
  T v = x[i];
  SIZES(r1, Add) SIZES(r2, Mul) SIZES(r3, Xor)
  switch (i % 3) {
  case 0: apart(i, v); break;
  case 1: apart(i, v); break;
  default: apart(i, v); break;
  }
}

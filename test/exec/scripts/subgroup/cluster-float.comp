// SPDX-License-Identifier: MIT
// Clustered reductions of floating-point numbers; the last cluster may be partial.
//! requires subgroupSizeControl shaderSubgroupExtendedTypes shaderFloat16 shaderFloat64
//! requires storageBuffer16BitAccess
//! subgroup 8 32 64
//! foreach T f16 f32 f64
//! buffer x ${T} : eval 70 { ((i * 5 + 2) % 7 - 3) / 2.0 }
//! buffer 0.1 ${T} : 0*280
//! buffer 0.2 ${T} : 0*280
//! bind 0.0 storage x
//! expect 0.1 ${T} : eval 280 { fold(j, i%70>>i/70<<i/70, min((i%70>>i/70<<i/70)+(1<<i/70),70), 0.0, acc + x[j]) }
//! expect 0.2 ${T} : eval 280 { i < 70 ? fold(j, i/4*4, min(i/4*4+4,70), 1/0.0, j%2==i%2 ? min(acc, x[j]) : acc) :
//! ... i < 140 ? fold(j, i%70/8*8, min(i%70/8*8+8,70), -1/0.0, j%2==i%70%2 ? max(acc, x[j]) : acc) :
//! ... i < 210 ? fold(j, i%70/2*2, i%70/2*2+2, 1.0, acc * x[j]) :
//! ... fold(j, i%70/8*8, min(i%70/8*8+8,70), 0.0, j%2==i%70%2 ? acc + x[j] : acc) }
#version 450
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
#define f16 float16_t
#define f32 float
#define f64 double
layout(local_size_x = 70) in;
layout(set = 0, binding = 0) readonly buffer X { T x[]; };
layout(set = 0, binding = 1) buffer R1 { T r1[]; };
layout(set = 0, binding = 2) buffer R2 { T r2[]; };
void apart(uint i, T v) {
  r2[i] = subgroupClusteredMin(v, 4);
  r2[70 + i] = subgroupClusteredMax(v, 8);
  r2[210 + i] = subgroupClusteredAdd(v, 8);
}
void main() {
  uint i = gl_LocalInvocationID.x;
  T v = x[i];
  r1[i] = subgroupClusteredAdd(v, 1);
  r1[70 + i] = subgroupClusteredAdd(v, 2);
  r1[140 + i] = subgroupClusteredAdd(v, 4);
  r1[210 + i] = subgroupClusteredAdd(v, 8);
  r2[140 + i] = subgroupClusteredMul(v, 2);
  if ((i & 1) != 0) apart(i, v); else apart(i, v);
}

// SPDX-License-Identifier: MIT
// Clusters of 16, 32 and, where a subgroup has as many lanes, 64; the last one is not full.
//! requires subgroupSizeControl shaderSubgroupExtendedTypes shaderInt16 shaderFloat16 shaderFloat64
//! requires storageBuffer16BitAccess
//! subgroup 32 64
//! buffer x u32 : random(31,100)
//! buffer 0.1 u32 : 0*400
//! buffer 0.2 f32 : 0*200
//! buffer 0.3 i16 : 0*200
//! buffer 0.4 f64 : 0*200
//! bind 0.0 storage x
//! expect 0.1 u32 : eval 400 { i < 100 ? fold(j, i/16*16, min(i/16*16+16,100), 0, acc + x[j]) :
//! ... i < 200 ? fold(j, i%100/32*32, min(i%100/32*32+32,100), 0, acc ^ x[j]) :
//! ... i < 300 ? fold(j, i%100/32*32, min(i%100/32*32+32,100), 0, j%2==i%2 ? max(acc, x[j]) : acc) :
//! ... fold(j, i%100/SG*SG, min(i%100/SG*SG+SG,100), 1, j%2==i%2 ? acc * (x[j] | 1) : acc) }
//! expect 0.2 f32 : eval 200 { i < 100 ? fold(j, i/16*16, min(i/16*16+16,100), 0.0, acc + x[j]%64) :
//! ... fold(j, i%100/32*32, min(i%100/32*32+32,100), 1/0.0, min(acc, float(x[j]%64))) }
//! expect 0.3 i16 : eval 200 { i < 100 ? fold(j, i/16*16, min(i/16*16+16,100), -32768, max(acc, i16(x[j]))) :
//! ... fold(j, i%100/32*32, min(i%100/32*32+32,100), 0, j%2==i%2 ? acc + i16(x[j]) : acc) }
//! expect 0.4 f64 : eval 200 { i < 100 ? fold(j, i/16*16, min(i/16*16+16,100), -1.0, max(acc, x[j]/4.0)) :
//! ... fold(j, i%100/SG*SG, min(i%100/SG*SG+SG,100), 0.0, j%2==i%2 ? acc + x[j]/4.0 : acc) }
#version 450
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
layout(local_size_x = 100) in;
layout(set = 0, binding = 0) readonly buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer R1 { uint r1[]; };
layout(set = 0, binding = 2) buffer R2 { float r2[]; };
layout(set = 0, binding = 3) buffer R3 { int16_t r3[]; };
layout(set = 0, binding = 4) buffer R4 { double r4[]; };
void apart(uint i, uint v) {
  r1[200 + i] = subgroupClusteredMax(v, 32);
  r3[100 + i] = subgroupClusteredAdd(int16_t(v), 32);
  if (gl_SubgroupSize == 64) {
    r1[300 + i] = subgroupClusteredMul(v | 1u, 64);
    r4[100 + i] = subgroupClusteredAdd(v / 4.0lf, 64);
  } else {
    r1[300 + i] = subgroupClusteredMul(v | 1u, 32);
    r4[100 + i] = subgroupClusteredAdd(v / 4.0lf, 32);
  }
}
void main() {
  uint i = gl_LocalInvocationID.x, v = x[i];
  r1[i] = subgroupClusteredAdd(v, 16);
  r1[100 + i] = subgroupClusteredXor(v, 32);
  r2[i] = subgroupClusteredAdd(float(v % 64), 16);
  r2[100 + i] = subgroupClusteredMin(float(v % 64), 32);
  r3[i] = subgroupClusteredMax(int16_t(v), 16);
  r4[i] = subgroupClusteredMax(v / 4.0lf, 16);
  if ((i & 1) != 0) apart(i, v); else apart(i, v);
}

// SPDX-License-Identifier: MIT
// Broadcasts of every type: of a fixed lane, of a lane that is the same for all but not a constant,
// and of the first lane that takes part.
//! requires subgroupSizeControl shaderSubgroupExtendedTypes shaderInt8 shaderInt16 shaderInt64
//! requires shaderFloat16 shaderFloat64 storageBuffer8BitAccess storageBuffer16BitAccess
//! subgroup 8 32 64
//! target vulkan1.2
//! foreach T i8 u16 i32 u64 f16 f32 f64
//! buffer x ${T} : random(13,70)
//! buffer 0.1 ${T} : 0*350
//! bind 0.0 storage x
//! push u32 : 3
//! expect 0.1 ${T} : eval 350 { i < 70 ? x[i/SG*SG+5] :
//! ... i < 140 ? x[i%70/SG*SG+3] :
//! ... i < 210 ? x[i%70/SG*SG] :
//! ... i < 280 ? x[i%70/SG*SG + (i%2 == 1 ? 1 : i%70%SG > 4 ? 6 : 0)] :
//! ... x[i%70/SG*SG + (i%2 ? 1 : 4)] }
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
#define i8 int8_t
#define u16 uint16_t
#define i32 int
#define u64 uint64_t
#define f16 float16_t
#define f32 float
#define f64 double
layout(local_size_x = 70) in;
layout(push_constant) uniform P { uint lane; };
layout(set = 0, binding = 0) readonly buffer X { T x[]; };
layout(set = 0, binding = 1) buffer R { T r[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  T v = x[i];
  r[i] = subgroupBroadcast(v, 5);
  r[70 + i] = subgroupBroadcast(v, lane);
  r[140 + i] = subgroupBroadcastFirst(v);
  if ((i & 1) != 0) {
    r[210 + i] = subgroupBroadcastFirst(v);
    r[280 + i] = subgroupBroadcast(v, 1);
  } else {
    if (gl_SubgroupInvocationID > 4) r[210 + i] = subgroupBroadcastFirst(v);
    else r[210 + i] = subgroupBroadcastFirst(v);
    r[280 + i] = subgroupBroadcast(v, lane + 1);
  }
}

// SPDX-License-Identifier: MIT
// Minima and maxima of 64-bit unsigned integers on both sides of 2^63; formulas compare with signs,
// so they move the range.
//! requires subgroupSizeControl shaderSubgroupExtendedTypes shaderInt64
//! subgroup 8 32 64
//! buffer x u64 : random(5,60) 0 0xffffffffffffffff 0x7fffffffffffffff 0x8000000000000000 random(6,6)
//! buffer top u64 : 0x8000000000000000
//! buffer 0.2 u64 : 0*210
//! buffer 0.3 u64 : 0*210
//! bind 0.0 storage x
//! expect 0.2 u64 : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), ~top[0], i%70%2==j%2 ? min(acc, x[j]^top[0]) : acc) ^ top[0] }
//! expect 0.3 u64 : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), top[0], i%70%2==j%2 ? max(acc, x[j]^top[0]) : acc) ^ top[0] }
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
layout(local_size_x = 70) in;
layout(set = 0, binding = 0) readonly buffer X { uint64_t x[]; };
layout(set = 0, binding = 2) buffer Min { uint64_t lo[]; };
layout(set = 0, binding = 3) buffer Max { uint64_t hi[]; };
void ops(uint i, uint64_t v) {
  lo[i] = subgroupMin(v); lo[70 + i] = subgroupInclusiveMin(v); lo[140 + i] = subgroupExclusiveMin(v);
  hi[i] = subgroupMax(v); hi[70 + i] = subgroupInclusiveMax(v); hi[140 + i] = subgroupExclusiveMax(v);
}
void main() {
  uint i = gl_LocalInvocationID.x;
  if ((i & 1) != 0) ops(i, x[i]); else ops(i, x[i]);
}

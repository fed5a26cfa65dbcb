// SPDX-License-Identifier: MIT
// Reductions and scans of integers, once in uniform control flow and once on both sides of a branch;
// the last subgroup is not full. K says which lanes work together.
//! requires subgroupSizeControl shaderSubgroupExtendedTypes shaderInt8 shaderInt16 shaderInt64
//! requires storageBuffer8BitAccess storageBuffer16BitAccess
//! subgroup 8 32 64
//! foreach T i8 u8 i16 u16 i32 u32 i64
//! foreach D 0 1
//! buffer x ${T} : random(21,70)
//! buffer k u32 : eval 70 { i * i % 5 * ${D} % 2 }
//! buffer lim ${T} : eval 1 { fold(j, 0, 64, 0, ${T}(acc * 2 + 1) > acc ? acc * 2 + 1 : acc) }
//! buffer 0.2 ${T} : 0*210
//! buffer 0.3 ${T} : 0*210
//! buffer 0.4 ${T} : 0*210
//! buffer 0.5 ${T} : 0*210
//! buffer 0.6 ${T} : 0*210
//! buffer 0.7 ${T} : 0*210
//! buffer 0.8 ${T} : 0*210
//! bind 0.0 storage x
//! bind 0.1 storage k
//! expect 0.2 ${T} : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), 0, k[j]==k[i%70] ? acc + x[j] : acc) }
//! expect 0.3 ${T} : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), 1, k[j]==k[i%70] ? acc * x[j] : acc) }
//! expect 0.4 ${T} : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), lim[0], k[j]==k[i%70] ? min(acc, x[j]) : acc) }
//! expect 0.5 ${T} : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), ${T}(lim[0]+1), k[j]==k[i%70] ? max(acc, x[j]) : acc) }
//! expect 0.6 ${T} : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), ~0, k[j]==k[i%70] ? acc & x[j] : acc) }
//! expect 0.7 ${T} : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), 0, k[j]==k[i%70] ? acc | x[j] : acc) }
//! expect 0.8 ${T} : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), 0, k[j]==k[i%70] ? acc ^ x[j] : acc) }
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#define i8 int8_t
#define u8 uint8_t
#define i16 int16_t
#define u16 uint16_t
#define i32 int
#define u32 uint
#define i64 int64_t
layout(local_size_x = 70) in;
layout(set = 0, binding = 0) readonly buffer X { T x[]; };
layout(set = 0, binding = 1) readonly buffer K { uint k[]; };
#define RESULT(b, op) layout(set = 0, binding = b) buffer R##b { T r##b[]; };
RESULT(2, Add) RESULT(3, Mul) RESULT(4, Min) RESULT(5, Max) RESULT(6, And) RESULT(7, Or) RESULT(8, Xor)
#define OPS(b, op) { r##b[i] = subgroup##op(v); r##b[70 + i] = subgroupInclusive##op(v); r##b[140 + i] = subgroupExclusive##op(v); }
void ops(uint i, T v) { OPS(2, Add) OPS(3, Mul) OPS(4, Min) OPS(5, Max) OPS(6, And) OPS(7, Or) OPS(8, Xor) }
void main() {
  uint i = gl_LocalInvocationID.x;
  T v = x[i];
#if D == 0
  ops(i, v);
#else
  if (k[i] == 0) ops(i, v); else ops(i, v);
#endif
}

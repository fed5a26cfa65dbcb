// SPDX-License-Identifier: MIT
// Reductions and scans of floating-point numbers, of which every sum and product is exact in any
// order; uniform and on both sides of a branch. The last subgroup is not full.
//! requires subgroupSizeControl shaderSubgroupExtendedTypes shaderFloat16 shaderFloat64
//! requires storageBuffer16BitAccess
//! subgroup 8 32 64
//! foreach T f16 f32 f64
//! foreach D 0 1
//! buffer x ${T} : eval 70 { (i * 7 + 3) % 9 - 4.0 }
//! buffer y ${T} : eval 70 { i % 8 == 3 ? 2.0 : i % 8 == 6 ? -0.5 : i % 3 == 1 ? -1.0 : 1.0 }
//! buffer k u32 : eval 70 { i * i % 5 * ${D} % 2 }
//! buffer 0.2 ${T} : 0*210
//! buffer 0.3 ${T} : 0*210
//! buffer 0.4 ${T} : 0*210
//! buffer 0.5 ${T} : 0*210
//! bind 0.0 storage x
//! bind 0.1 storage y
//! bind 0.6 storage k
//! expect 0.2 ${T} : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), 0.0, k[j]==k[i%70] ? acc + x[j] : acc) }
//! expect 0.3 ${T} : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), 1.0, k[j]==k[i%70] ? acc * y[j] : acc) }
//! expect 0.4 ${T} : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), 1/0.0, k[j]==k[i%70] ? min(acc, x[j]) : acc) }
//! expect 0.5 ${T} : eval 210 { fold(j, i%70/SG*SG, i < 70 ? min(i/SG*SG+SG,70) : i%70+(i<140), -1/0.0, k[j]==k[i%70] ? max(acc, x[j]) : acc) }
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
#define f16 float16_t
#define f32 float
#define f64 double
layout(local_size_x = 70) in;
layout(set = 0, binding = 0) readonly buffer X { T x[]; };
layout(set = 0, binding = 1) readonly buffer Y { T y[]; };
layout(set = 0, binding = 6) readonly buffer K { uint k[]; };
#define RESULT(b, op) layout(set = 0, binding = b) buffer R##b { T r##b[]; };
RESULT(2, Add) RESULT(3, Mul) RESULT(4, Min) RESULT(5, Max)
#define OPS(b, op, v) { r##b[i] = subgroup##op(v); r##b[70 + i] = subgroupInclusive##op(v); r##b[140 + i] = subgroupExclusive##op(v); }
void ops(uint i) { OPS(2, Add, x[i]) OPS(3, Mul, y[i]) OPS(4, Min, x[i]) OPS(5, Max, x[i]) }
void main() {
  uint i = gl_LocalInvocationID.x;
#if D == 0
  ops(i);
#else
  if (k[i] == 0) ops(i); else ops(i);
#endif
}

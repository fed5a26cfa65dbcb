// SPDX-License-Identifier: MIT
// Determinants and inverses of matrices whose inverses are short binary fractions: triangles of ones
// with powers of two on the diagonal, and a permutation.
//! requires shaderFloat16 shaderFloat64 storageBuffer16BitAccess
//! foreach T f16 f32 f64
//! buffer 0.0 ${T} : 2 1 4 0.5
//! buffer 0.1 ${T} : 7*40
//! expect 0.1 ${T} ~ulp=4 : 8 4 -2
//! ... 0.5 0 -0.125 0.25  0.5 0 0 -0.125 0.25 0 -0.75 -0.5 2
//! ... 0.5 0 0 0 -0.125 0.25 0 0 -0.75 -0.5 2 0 0 0 0 1
//! ... 0 1 0.5 0  10 17 4
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define f64 double
#define f16m2 f16mat2
#define f16m3 f16mat3
#define f16m4 f16mat4
#define f16v3 f16vec3
#define f32m2 mat2
#define f32m3 mat3
#define f32m4 mat4
#define f32v3 vec3
#define f64m2 dmat2
#define f64m3 dmat3
#define f64m4 dmat4
#define f64v3 dvec3
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer X { ${T} x[]; };
layout(set = 0, binding = 1) buffer R { ${T} r[]; };
uint at = 0;
void put(${T} v) { r[at++] = v; }
void main() {
  ${T} two = x[0], one = x[1], four = x[2], half_ = x[3], zero = two - two;
  ${T}m2 a = ${T}m2(two, zero, one, four);
  ${T}m3 b = ${T}m3(two, zero, zero, one, four, zero, one, one, half_);
  ${T}m4 c = ${T}m4(two, zero, zero, zero, one, four, zero, zero, one, one, half_, zero, zero, zero, zero, one);
  ${T}m2 p = ${T}m2(zero, one, two, zero);
  put(determinant(a));
  put(determinant(c));
  put(determinant(p));
  ${T}m2 ai = inverse(a);
  for (int k = 0; k < 4; ++k) put(ai[k / 2][k % 2]);
  ${T}m3 bi = inverse(b);
  for (int k = 0; k < 9; ++k) put(bi[k / 3][k % 3]);
  ${T}m4 ci = inverse(c);
  for (int k = 0; k < 16; ++k) put(ci[k / 4][k % 4]);
  ${T}m2 pi = inverse(p);
  for (int k = 0; k < 4; ++k) put(pi[k % 2][k / 2]);
  // Columns (2,0,0), (1,4,0), (1,1,1/2) times (1,2,6): sums by rows.
  ${T}v3 v = b * ${T}v3(one, two, two + four);
  put(v.x);
  put(v.y + determinant(b) - one);
  put(v.z + one);
}

// SPDX-License-Identifier: MIT
// Geometric functions of two, three and four components, in 16, 32 and 64 bits.
//! requires shaderFloat16 shaderFloat64
//! foreach N 2 3 4
//! foreach T vec f16vec dvec
//! buffer 0.0 f32 : random(21,256)
//! buffer 0.1 f32 : 0*1280
//! dispatch 1
//! compare 0.1 f32 ~ulp=64 ~abs=4e-2 ~rel=1e-2
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
#define CAT(a, b) a##b
#define V_(t, n) CAT(t, n)
#define V V_(T, N)
#define S_vec float
#define S_f16vec float16_t
#define S_dvec double
#define S V_(S_, T)
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };
uint at;
void put(V v) { for (int k = 0; k < N; ++k) b[at++] = float(v[k]); }
V get(uint k) { V v; for (int c = 0; c < N; ++c) { float x = a[(k + c) & 255] + 0.0625; v[c] = S(x); } return v; }

void main() {
  uint i = gl_LocalInvocationID.x;
  at = i * 40;
  V x = get(i * 7), y = get(i * 5 + 3), n = normalize(get(i * 3 + 50));
  b[at++] = float(dot(x, y));
  b[at++] = float(length(x));
  b[at++] = float(distance(x, y));
  put(normalize(x));
  put(faceforward(x, y, n));
  put(reflect(x, n));
  put(refract(normalize(x), n, S(0.75)));
#if N == 3
  put(cross(x, y));
#endif
  put(x * dot(x, y));
  put(-x);
}

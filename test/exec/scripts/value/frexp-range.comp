// SPDX-License-Identifier: MIT
// frexp, modf and ldexp of halves up to the ends of their range, and of wider types; zeros may have
// either sign.
//! requires shaderFloat16 shaderFloat64 storageBuffer16BitAccess
//! foreach T f16 f32 f64
//! buffer 0.0 ${T} : 0 1 -1 0.5 0.75 -6.25 1000 2048 65504 0.00006103515625 -0.0001220703125 3.5
//! buffer 0.1 ${T} : 7*60
//! expect 0.1 ${T} ~abs=1e-30 : 0 0 0 0 0   0.5 1 0 1 8   -0.5 1 0 -1 -8   0.5 0 0.5 0 4   0.75 0 0.75 0 6
//! ... -0.78125 3 -0.25 -6 -50   0.9765625 10 0 1000 8000   0.5 12 0 2048 16384
//! ... 0.99951171875 16 0 65504 2047   0.5 -13 0.00006103515625 0 0.00048828125
//! ... -0.5 -12 -0.0001220703125 0 -0.0009765625   0.875 2 0.5 3 28
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define f64 double
layout(local_size_x = 12) in;
layout(set = 0, binding = 0) readonly buffer X { T x[]; };
layout(set = 0, binding = 1) buffer R { T r[]; };
void main() {
  uint i = gl_LocalInvocationID.x, at = i * 5;
  T v = x[i], whole;
  int e;
  r[at] = frexp(v, e);
  r[at + 1] = T(e);
  r[at + 2] = modf(v, whole);
  r[at + 3] = whole;
  r[at + 4] = ldexp(v, i == 8 ? -5 : 3);
}

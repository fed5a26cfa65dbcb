// SPDX-License-Identifier: MIT
// Rows of registers: integers and floats of 64 bits, and vectors, more than there are registers, across a loop that lanes
// leave one after the other.
//! requires shaderInt64 shaderFloat64
//! subgroup 0 32 64
//! buffer 0.0 u64 : eval 6400 { i * 2654435761 * 97 }
//! buffer 0.1 f64 : eval 2560 { i * 3 - 1000 }
//! buffer 0.2 u64 : 0*6400
//! buffer 0.3 f64 : 0*2560
//! expect 0.2 u64 : eval 6400 { u64(i % 100 % 3 == 1 ? fold(n, 0, i / 100 % 4, b0_0[i], acc * 5 + n) : b0_0[i]) }
//! expect 0.3 f64 : eval 2560 { (i * 3 - 1000) * (i % 40 % 3 == 2 && i / 40 % 2 == 1 ? 4 : 1) }
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint64_t a[]; };
layout(set = 0, binding = 1) readonly buffer C { double c[]; };
layout(set = 0, binding = 2) buffer B { uint64_t b[]; };
layout(set = 0, binding = 3) buffer D { double d[]; };

#define TEN(F, k) F(k) F(k + 1) F(k + 2) F(k + 3) F(k + 4) F(k + 5) F(k + 6) F(k + 7) F(k + 8) F(k + 9)
#define FORTY(F) TEN(F, 0) TEN(F, 10) TEN(F, 20) TEN(F, 30)
#define HUNDRED(F) FORTY(F) TEN(F, 40) TEN(F, 50) TEN(F, 60) TEN(F, 70) TEN(F, 80) TEN(F, 90)
#define LOAD(k) v[k] = a[i * 100 + (k)];
#define LOADD(k) w[k] = c[i * 40 + (k)];
#define LOOPED(k) if ((k) % 3 == 1) v[k] = v[k] * 5 + n;
#define BRANCHED(k) if ((k) % 3 == 2) w[k] = w[k] * 4;
#define STORE(k) b[i * 100 + (k)] = v[k];
#define STORED(k) d[i * 40 + (k)] = w[k];

void main() {
  uint i = gl_LocalInvocationIndex;
  uint64_t v[100];
  double w[40];
  HUNDRED(LOAD)
  FORTY(LOADD)
  for (uint n = 0; n < i % 4; ++n) {
    HUNDRED(LOOPED)
  }
  if (i % 2 == 1) {
    FORTY(BRANCHED)
  }
  HUNDRED(STORE)
  FORTY(STORED)
}

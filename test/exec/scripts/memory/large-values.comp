// SPDX-License-Identifier: MIT
// Long arrays by value: from buffers and back, assigned, passed and returned, in structures, of bools, of arrays, and read
// with varying indices.
//! buffer 0.0 u32 : random(3,200)
//! buffer 0.1 u32 : 0*800
//! buffer 0.2 f32 : 0*600
//! buffer 0.3 u32 : 0*200
//! buffer x u32 : random(3,200)
//! expect 0.1 u32 : eval 800 { x[i % 200] * 2 + i % 200 + (i % 200 == i / 200 ? 5 : 0) + x[(i % 200 + i / 200) % 200] }
//! expect 0.2 f32 : eval 600 { (i % 150) * 0.5 + ((i % 150 + i / 150) % 3 == 0 ? 100 : 0) + i / 150 }
//! expect 0.3 u32 : eval 200 { i == 7 ? 42 : x[i] }
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[200]; };
layout(set = 0, binding = 1) buffer B { uint b[800]; };
layout(set = 0, binding = 2) buffer C { float c[600]; };
layout(set = 0, binding = 3) buffer D { uint d[200]; };
struct Mixed { uint n; float f[150]; bool flags[150]; mat3 m; float pairs[75][2]; };
uint[200] twice(uint x[200]) {
  for (int j = 0; j < 200; ++j) x[j] = x[j] * 2 + uint(j);
  return x;
}
Mixed make(uint i) {
  Mixed made;
  made.n = i;
  made.m = mat3(float(i));
  for (int j = 0; j < 150; ++j) {
    made.f[j] = float(j) * 0.5;
    made.flags[j] = (uint(j) + i) % 3 == 0;
    made.pairs[j / 2][j % 2] = made.flags[j] ? 100.0 : 0.0;
  }
  return made;
}
void main() {
  uint i = gl_LocalInvocationIndex;
  uint x[200] = a;
  uint y[200] = twice(x);
  y[i] += 5;
  for (int j = 0; j < 200; ++j) b[i * 200 + j] = y[j] + x[(j + i) % 200];
  Mixed first = make(i), second = first;
  second.f[3] = first.f[3];
  for (int j = 0; j < 150; ++j)
    c[i * 150 + j] = second.f[j] + (second.flags[j] ? second.pairs[j / 2][j % 2] : 0.0) + second.m[1][1];
  if (i == 0) {
    x[7] = 42;
    d = x;
  }
}

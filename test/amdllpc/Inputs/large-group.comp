// SPDX-License-Identifier: MIT
// Some 160 values at once, and as many invocations as a workgroup can have.
#version 450
layout(local_size_x = 1024) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
#define TEN(F, k) F(k) F(k + 1) F(k + 2) F(k + 3) F(k + 4) F(k + 5) F(k + 6) F(k + 7) F(k + 8) F(k + 9)
#define ALL(F) \
  TEN(F, 0) TEN(F, 10) TEN(F, 20) TEN(F, 30) TEN(F, 40) TEN(F, 50) TEN(F, 60) TEN(F, 70) TEN(F, 80) TEN(F, 90) \
  TEN(F, 100) TEN(F, 110) TEN(F, 120) TEN(F, 130) TEN(F, 140) TEN(F, 150)
#define LOAD(k) v[k] = a[i * 160 + (k)];
#define ADD(k) sum = sum * 3 ^ v[k];
void main() {
  uint i = gl_LocalInvocationIndex, v[160], sum = 0;
  ALL(LOAD)
  ALL(ADD)
  b[i] = sum;
}

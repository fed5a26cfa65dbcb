// SPDX-License-Identifier: MIT
// Calls with in, out and inout parameters, arrays and structures by value, from divergent code.
//! buffer 0.0 i32 : -32..31
//! buffer 0.1 i32 : 0*64
//! expect 0.1 i32 : eval 64 { b0_0[i] < 0 ? (0 - b0_0[i]) * 2 + 3 : b0_0[i] * b0_0[i] + b0_0[i] + 6 }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { int a[]; };
layout(set = 0, binding = 1) buffer B { int b[]; };

struct Pair { int x, y; };
void scale(inout int v, in int k, out int old) { old = v; v *= k; }
int total(int list[3]) { int s = 0; for (int k = 0; k < 3; ++k) s += list[k]; return s; }
Pair make(int x) { return Pair(x * x, x); }
int sum(Pair p) { return p.x + p.y; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  int v = a[i], old = 0;
  if (v < 0) {
    scale(v, -2, old);
    b[i] = v + (old < 0 ? 3 : 4);
  } else {
    b[i] = sum(make(v)) + total(int[3](1, 2, 3));
  }
}

// SPDX-License-Identifier: MIT
// Structures and arrays that branches, loops and switches choose, and of which a part is changed.
//! buffer 0.0 i32 : eval 64 { i * 29 % 64 }
//! buffer 0.1 i32 : 0*512
//! expect 0.1 i32 : eval 512 { i / 64 == 0 ? (b0_0[i%64] > 20 ? b0_0[i%64] * 3 : i % 64 + 1000) :
//! ... i / 64 == 1 ? (b0_0[i%64] > 20 ? i % 64 : 0 - b0_0[i%64]) :
//! ... i / 64 == 2 ? (b0_0[i%64] > 20 ? 2 * b0_0[i%64] + 1 : 5) :
//! ... i / 64 == 3 ? fold(j, 0, b0_0[i%64] % 7, 1, (acc * 3 + i % 64) & 0xffff) :
//! ... i / 64 == 4 ? fold(j, 0, b0_0[i%64] % 7, 7, acc + j * b0_0[i%64]) :
//! ... i / 64 == 5 ? b0_0[i%64] % 7 :
//! ... i / 64 == 6 ? (b0_0[i%64] % 4 == 0 ? 10 : b0_0[i%64] % 4 == 1 ? b0_0[i%64] : b0_0[i%64] % 4 == 2 ? i % 64 + 6 : 3) :
//! ... (b0_0[i%64] % 4 == 0 ? 11 : b0_0[i%64] % 4 == 1 ? 11 : b0_0[i%64] % 4 == 2 ? 2 * (i % 64) : 4) }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { int a[]; };
layout(set = 0, binding = 1) writeonly buffer R { int r[]; };
struct Inner { int p[2]; };
struct Outer { int first; Inner inner; };

Outer choose(int x, int i) {
  if (x > 20) {
    Outer o = {x * 3, {{i, 2 * x + 1}}};
    return o;
  }
  Outer o;
  o.first = i + 1000;
  o.inner.p = int[2](-x, 5);
  return o;
}
Outer rounds(int x, int i) {
  Outer o = {1, {{7, 0}}};
  for (int j = 0; j < x % 7; ++j) {
    Outer next = o;
    next.first = (o.first * 3 + i) & 0xffff;
    next.inner.p[0] += j * x;
    next.inner.p[1] = o.inner.p[1] + 1;
    o = next;
  }
  return o;
}
int[2] cases(int x, int i) {
  int c[2] = {10, 11};
  switch (x % 4) {
  case 0: return c;
  case 1: c[0] = x; break;
  case 2: c = int[2](i + 6, 2 * i); break;
  default: c[0] = 3; c[1] = 4;
  }
  return c;
}
void main() {
  int i = int(gl_LocalInvocationIndex), x = a[i];
  Outer o = choose(x, i), l = rounds(x, i);
  int c[2] = cases(x, i);
  r[i] = o.first;
  r[i + 64] = o.inner.p[0];
  r[i + 128] = o.inner.p[1];
  r[i + 192] = l.first;
  r[i + 256] = l.inner.p[0];
  r[i + 320] = l.inner.p[1];
  r[i + 384] = c[0];
  r[i + 448] = c[1];
}

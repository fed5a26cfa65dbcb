// SPDX-License-Identifier: MIT
// Structures of blocks that are copied whole and read at computed places: of a uniform block (stored once, stored in a
// loop, and changed afterwards), of a buffer that is written behind the copy, and of one that nobody writes.
// N[K] is 10 + K, M[K] (rows in memory) has 100 K + 10 COLUMN + ROW; the buffer's are 1000 more.
//! buffer 0.0 uniform u32 : 10 0 0 0  11 0 0 0  12 0 0 0  13 0 0 0  14 0 0 0  15 0 0 0  16 0 0 0  17 0 0 0
//! append f32 : 0 10 0 0  1 11 0 0  2 12 0 0  100 110 0 0  101 111 0 0  102 112 0 0
//! buffer 0.1 u32 : 1010..1017 0*8
//! buffer 0.2 u32 : 3 1 7 0 2 6 5 4
//! buffer 0.3 u32 : 0*48
//! expect 0.3 u32 : 13 11 17 10 12 16 15 14
//! ...  110 101 111 0 12 10 102 1
//! ...  33 36 39 42 45 48 43 38
//! ...  10 1011 12 13 14 15 16 17
//! ...  1010..1017
//! ...  3 1 7 0 2 6 5 4
//! expect 0.1 u32 : 5010 5011 5012 5013 5014 5015 5016 5017 0*8
#version 450
layout(local_size_x = 8) in;
struct S {
  uint n[8];
  mat2x3 m[2];
};
struct T {
  uint n[8];
};
layout(set = 0, binding = 0, std140, row_major) uniform A { S s; };
layout(set = 0, binding = 1, std430) buffer B { T t; };
layout(set = 0, binding = 2, std430) restrict readonly buffer C { T index; };
layout(set = 0, binding = 3, std430) restrict buffer D { uint d[]; };
void main() {
  const uint i = gl_LocalInvocationIndex;
  T which = index;
  const uint k = which.n[i];
  S copy = s;
  d[i] = copy.n[k];
  d[8 + i] = uint(copy.m[k & 1u][k >> 1 & 1u][k % 3u]);
  S again;
  uint sum = 0;
  for (uint j = 0; j < 3; ++j) {
    again = s;
    sum += again.n[i + j & 7u];
  }
  d[16 + i] = sum;
  S changed = s;
  changed.n[which.n[1]] += 1000u;
  d[24 + i] = changed.n[i];
  T before = t;
  t.n[i] += 4000u;
  d[32 + i] = before.n[i];
  d[40 + i] = which.n[i];
}

// SPDX-License-Identifier: MIT
// Row-major and column-major matrices: loads, stores, single columns and elements.
//! foreach N 2 3 4
//! buffer 0.0 f32 : 1..16
//! buffer 0.1 f32 : 1..16
//! buffer 0.2 f32 : 0*32
//! dispatch 1
//! compare 0.2 f32
#version 450
layout(local_size_x = 1) in;
#define CAT(a, b) a##b
#define MAT(n) CAT(mat, n)
layout(set = 0, binding = 0, std140) buffer A { layout(column_major) MAT(N) a; };
layout(set = 0, binding = 1, std140) buffer B { layout(row_major) MAT(N) b; };
layout(set = 0, binding = 2) buffer O { float o[32]; };
void main() {
  MAT(N) p = a * b, q = transpose(b);
  for (int c = 0; c < N; ++c)
    for (int r = 0; r < N; ++r) o[c * N + r] = p[c][r] - q[c][r] + b[c][r] * 0.5;
  b[1] = a[0];
  b[0][1] = 42.0;
  a[N - 1] = b[N - 1] * 2.0;
  o[16] = determinant(a);
  MAT(N) k = inverse(MAT(N)(2.0));
  for (int c = 0; c < N; ++c) { o[17 + c] = b[c][1]; o[24 + c] = a[c][N - 1] + k[c][c]; }
}

// SPDX-License-Identifier: MIT
// Products, transposes, determinants and inverses of matrices.
//! requires shaderFloat64
//! foreach T mat dmat
//! buffer 0.0 f32 : random(31,64)
//! buffer 0.1 f32 : 0*512
//! compare 0.1 f32 ~rel=1e-3 ~abs=1e-2
#version 450
layout(local_size_x = 4) in;
#define CAT(a, b) a##b
#define V_(t, n) CAT(t, n)
#define M(n) V_(T, n)
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };
void main() {
  uint i = gl_LocalInvocationID.x, at = i * 128;
  M(3) m, n;
  M(4) q;
  M(2x3) r;
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k) { m[c][k] = a[(i * 9 + c * 3 + k) & 63] + (c == k ? 6.0 : 0.0); n[c][k] = a[(i * 5 + c + k * 7) & 63]; }
  for (int c = 0; c < 4; ++c)
    for (int k = 0; k < 4; ++k) q[c][k] = a[(i + c * 4 + k) & 63] + (c == k ? 9.0 : 0.0);
  for (int c = 0; c < 2; ++c) r[c] = m[c] - n[c];
  M(3) p = m * n;
  M(3) inv = inverse(m);
  M(4) qi = inverse(q);
  M(2x3) mr = m * r;
  M(3x2) t = transpose(r);
  for (int c = 0; c < 3; ++c)
    for (int k = 0; k < 3; ++k) {
      b[at++] = float(p[c][k]);
      b[at++] = float(inv[c][k]);
      b[at++] = float((m * 2.0)[c][k]);
    }
  for (int c = 0; c < 4; ++c)
    for (int k = 0; k < 4; ++k) b[at++] = float(qi[c][k]);
  for (int k = 0; k < 3; ++k) { b[at++] = float((m * n[0])[k]); b[at++] = float((n[1] * m)[k]); b[at++] = float(mr[1][k]); b[at++] = float(t[k][1]); }
  b[at++] = float(determinant(m));
  b[at++] = float(determinant(q));
  b[at++] = float(determinant(M(2)(m[0].xy, m[1].xy)));
  b[at++] = float(inverse(M(2)(m[0].xy, m[1].xy))[1][0]);
  b[at++] = float(outerProduct(m[0], n[1])[2][1]);
}

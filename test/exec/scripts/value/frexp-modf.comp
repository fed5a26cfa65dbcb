// SPDX-License-Identifier: MIT
// frexp, modf and ldexp: parts fit together again.
//! foreach T float double
//! requires shaderFloat64
//! buffer 0.0 f64 : 0.75 -3.5 1024 -0.0078125 3.14159274101257 100000 -1 0.5
//! buffer 0.1 f64 : 0*48
//! expect 0.1 f64 ~ulp=0 ~rel=1e-9 : 0.75 0 0.75 0 0.75 24  -0.875 2 -0.5 -3 -3.5 -112  0.5 11 0 1024 1024 32768  -0.5 -6 -0.0078125 0 -0.0078125 -0.25
//! ... 0.78539818525314 2 0.14159274101257 3 3.14159274101257 100.53096771240  0.762939453125 17 0 100000 100000 3200000  -0.5 1 0 -1 -1 -32  0.5 0 0.5 0 0.5 16
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer A { double a[]; };
layout(set = 0, binding = 1) buffer B { double b[]; };
void main() {
  uint i = gl_LocalInvocationID.x, at = i * 6;
  T x = T(a[i]), whole;
  int e;
  T m = frexp(x, e);
  b[at] = m;
  b[at + 1] = e;
  b[at + 2] = modf(x, whole);
  b[at + 3] = whole;
  b[at + 4] = ldexp(m, e);
  b[at + 5] = ldexp(x, 5);
}

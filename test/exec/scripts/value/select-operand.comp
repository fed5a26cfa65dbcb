// SPDX-License-Identifier: MIT
// The number that was compared with is chosen for NaN.
//! buffer 0.0 f32 : 1 2.7182818 3 nan
//! buffer 0.1 f32 : 0*8
//! expect 0.1 f32 : 7 2.7182818 7 2.7182818 7 7 7 2.7182818
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float x = a[i], other = 7.0;
  b[i] = x < 2.7182818 || x > 2.7182818 ? other : 2.7182818;
  // Not x is unordered or different.
  b[i + 4] = isnan(x) ? 2.7182818 : other;
}

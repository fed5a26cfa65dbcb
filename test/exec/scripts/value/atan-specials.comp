// SPDX-License-Identifier: MIT
// SignedZeroInfNanPreserve: atan of two infinities is a diagonal, of a NaN NaN; the whole number of an infinity leaves a fraction of 0.
// Stored: twelve times the angle over pi, 77 for NaN.
//! buffer 0.0 f32 : inf inf  inf -inf  -inf inf  -inf -inf  1 inf  1 -inf  inf 1  -inf 1  nan 1  1 nan  0 1  0 -1
//! buffer 0.1 f32 : 99*14
//! expect 0.1 f32 ~abs=1e-4 : 3 9 -3 -9 0 12 6 -6 77 77 0 12 0 0
#version 450
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4466], 4461, 32);
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer X { vec2 yx[12]; };
layout(set = 0, binding = 1) writeonly buffer R { float r[14]; };
void main() {
  for (int i = 0; i < 12; ++i) {
    const float angle = atan(yx[i].x, yx[i].y);
    r[i] = isnan(angle) ? 77 : angle * (12 / 3.14159265358979);
  }
  float whole;
  r[12] = modf(yx[0].x, whole);
  r[13] = modf(yx[3].x, whole);
}

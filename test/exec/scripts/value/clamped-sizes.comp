// SPDX-License-Identifier: MIT
// Clamped maxima of numbers and themselves with another sign.
//! requires shaderFloat16
//! buffer 0.0 f32 : -3 -0.75 -0.5 -0.25 0 0.25 0.5 2
//! buffer 0.1 f32 : 0*32
//! expect 0.1 f32 : 1 0.75 0.5 0.25 0 0.25 0.5 1  1 0.75 0.5 0.25 0 0.25 0.5 1
//! ... 1 0.75 0.5 0.25 0 0.25 0.5 1  0 0 0 0 0 0.25 0.5 1
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float x = a[i] + a[4], y = a[i] - a[4], z = a[4] + a[i] * 1.0;
  b[i] = clamp(max(x, abs(x)), 0.0, 1.0);
  b[i + 8u] = clamp(max(-y, y), 0.0, 1.0);
  float16_t h = float16_t(a[i]) + float16_t(a[4]);
  b[i + 16u] = float(clamp(max(abs(h), h), float16_t(0.0), float16_t(1.0)));
  b[i + 24u] = clamp(max(z, -abs(z)), 0.0, 1.0);
}

// SPDX-License-Identifier: MIT
// Additions and exchanges of floats in a texel buffer.
//! requires shaderImageFloat32AtomicAdd shaderImageFloat32Atomics VK_EXT_shader_atomic_float
//! buffer t none f32 : eval 65 { i * 0.5 }
//! bind 0.0 storage-texel t format=r32_sfloat
//! buffer 0.1 f32 : 0*128
//! expect 0.1 f32 : eval 128 { i % 2 == 0 ? i * 0.25 : (i - 1) * 0.25 + 2 }
//! expect t f32 : eval 65 { i < 64 ? i - 7 : 32 + 64 }
#version 450
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32f) uniform imageBuffer t;
layout(set = 0, binding = 1) buffer B { vec2 b[]; };
void main() {
  int i = int(gl_LocalInvocationIndex);
  b[i].x = imageAtomicAdd(t, i, 2.0);
  b[i].y = imageAtomicExchange(t, i, float(i) - 7.0);
  imageAtomicAdd(t, 64, 1.0);
}

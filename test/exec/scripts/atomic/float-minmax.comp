// SPDX-License-Identifier: MIT
// Atomic minimum and maximum of floats.
//! requires shaderBufferFloat32AtomicMinMax VK_EXT_shader_atomic_float2
//! buffer 0.0 f32 : 0.25 0.25
//! expect 0.0 f32 : -31.5 31.5
#version 450
#extension GL_EXT_shader_atomic_float2 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float low, high; };
void main() {
  float x = float(gl_LocalInvocationID.x) - 31.5;
  atomicMin(low, x);
  atomicMax(high, x);
}

// SPDX-License-Identifier: MIT
// Atomic addition of floats: sums of small integers are exact in any order.
//! requires shaderBufferFloat32AtomicAdd shaderBufferFloat32Atomics VK_EXT_shader_atomic_float
//! buffer 0.0 f32 : 0.5 7
//! expect 0.0 f32 : 2016.5 63
#version 450
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a, last; };

void main() {
  uint i = gl_LocalInvocationID.x;
  atomicAdd(a, float(i));
  if (i == 63) atomicExchange(last, 63.0);
}

// SPDX-License-Identifier: MIT
// Float atomics on images and texel buffers; the values are small integers, so sums are exact in any
// order. Exchanges give the old value once to each of 64 invocations.
//! requires shaderImageFloat32Atomics shaderImageFloat32AtomicAdd shaderImageFloat32AtomicMinMax
//! requires VK_EXT_shader_atomic_float VK_EXT_shader_atomic_float2
//! image A r32_sfloat 2d 4x1x1 : f32 10 3 3 -1
//! bind 0.0 storage-image A
//! buffer T f32 : 10 3 3 -1
//! bind 0.1 storage-texel T format=r32_sfloat
//! buffer 0.2 f32 : 0 0
//! expect A f32 : 2026 -32 31 -1
//! expect T f32 : 2026 -32 31 -1
//! expect 0.2 f32 : 2016 2016
#version 450
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32f) uniform image2D a;
layout(set = 0, binding = 1, r32f) uniform imageBuffer t;
layout(set = 0, binding = 2) buffer B { float b[2]; };
void main() {
  float x = float(gl_LocalInvocationIndex);
  imageAtomicAdd(a, ivec2(0, 0), x);
  imageAtomicMin(a, ivec2(1, 0), x - 32.0);
  imageAtomicMax(a, ivec2(2, 0), x - 32.0);
  imageAtomicAdd(t, 0, x);
  imageAtomicMin(t, 1, x - 32.0);
  imageAtomicMax(t, 2, x - 32.0);
  // Old values and what is left in the end are together what was written and what was there.
  atomicAdd(b[0], imageAtomicExchange(a, ivec2(3, 0), x) + (x == 0.0 ? 1.0 : 0.0));
  atomicAdd(b[1], imageAtomicExchange(t, 3, x) + (x == 0.0 ? 1.0 : 0.0));
  memoryBarrierImage();
  barrier();
  if (x == 0.0) {
    atomicAdd(b[0], imageAtomicExchange(a, ivec2(3, 0), -1.0));
    atomicAdd(b[1], imageAtomicExchange(t, 3, -1.0));
  }
}

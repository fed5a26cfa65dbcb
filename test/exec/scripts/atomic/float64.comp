// SPDX-License-Identifier: MIT
// Minimum, maximum and exchange of 64-bit floats in buffers and workgroup memory, and of 32-bit floats
// in workgroup memory.
//! requires shaderBufferFloat64Atomics shaderBufferFloat64AtomicMinMax shaderSharedFloat64Atomics
//! requires shaderSharedFloat64AtomicMinMax shaderSharedFloat32Atomics shaderSharedFloat32AtomicMinMax
//! requires VK_EXT_shader_atomic_float VK_EXT_shader_atomic_float2 shaderFloat64
//! buffer 0.0 f64 : 0.25 0.25 5 0*5
//! expect 0.0 f64 : -31.5 31.5 7 5 -31.5 31.5 -31.5 31.5
#version 450
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { double low, high, swapped, old, r[4]; };
shared double sharedLow, sharedHigh;
shared float narrowLow, narrowHigh;
void main() {
  double x = double(gl_LocalInvocationIndex) - 31.5lf;
  if (gl_LocalInvocationIndex == 0) {
    sharedLow = sharedHigh = 0.25lf;
    narrowLow = narrowHigh = 0.25;
    old = atomicExchange(swapped, 7.0lf);
  }
  barrier();
  atomicMin(low, x);
  atomicMax(high, x);
  atomicMin(sharedLow, x);
  atomicMax(sharedHigh, x);
  atomicMin(narrowLow, float(x));
  atomicMax(narrowHigh, float(x));
  barrier();
  if (gl_LocalInvocationIndex == 0) {
    r[0] = sharedLow;
    r[1] = sharedHigh;
    r[2] = double(narrowLow);
    r[3] = double(narrowHigh);
  }
}

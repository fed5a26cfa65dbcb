// SPDX-License-Identifier: MIT
// What additions of floats return: values before, in workgroup memory and in an image.
//! requires shaderSharedFloat32AtomicAdd shaderSharedFloat32Atomics shaderImageFloat32AtomicAdd shaderImageFloat32Atomics VK_EXT_shader_atomic_float
//! image img r32_sfloat 2d 64x1 : f32 eval 64 { i * 0.25 }
//! bind 0.0 storage-image img
//! buffer 0.1 f32 : 0*256
//! expect 0.1 f32 : eval 256 { i % 4 == 0 ? i / 4 + 0.5 : i % 4 == 1 ? i / 4 * 0.25 : i % 4 == 2 ? i / 4 * 0.25 + i / 4 : i / 4 + 2.5 }
//! expect img f32 : eval 64 { i + 100 }
#version 450
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32f) uniform image2D img;
layout(set = 0, binding = 1) buffer B { vec4 b[]; };
shared float s[64];
void main() {
  int i = int(gl_LocalInvocationIndex);
  s[i] = float(i) + 0.5;
  barrier();
  b[i].x = atomicAdd(s[i], 2.0);
  b[i].y = imageAtomicAdd(img, ivec2(i, 0), float(i));
  b[i].z = imageAtomicExchange(img, ivec2(i, 0), float(i) + 100.0);
  barrier();
  b[i].w = s[i];
}

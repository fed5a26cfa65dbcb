// SPDX-License-Identifier: MIT
// What atomics of workgroup memory return: every invocation has an element of its own, so that the
// value before is the initial one.
//! requires shaderInt64 shaderSharedInt64Atomics
//! buffer 0.0 i32 : 0*256
//! expect 0.0 i32 : eval 256 { i % 4 == 0 ? i / 4 - 32 : i % 4 == 1 ? max(i / 4 - 32, 5 - i / 4) : i % 4 == 2 ? i / 4 * 3 : i / 4 * 3 == 30 ? 77 : max(i / 4 * 3, 40) }
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { ivec4 a[]; };
shared int s[64];
shared uint64_t w[64];
void main() {
  int i = int(gl_LocalInvocationIndex);
  s[i] = i - 32;
  w[i] = uint64_t(i * 3);
  barrier();
  a[i].x = atomicMax(s[i], 5 - i);
  a[i].z = int(atomicMax(w[i], 40ul));
  if (i == 10) atomicCompSwap(w[i], 40ul, 77ul);
  barrier();
  a[i].y = s[i];
  a[i].w = int(w[i]);
}

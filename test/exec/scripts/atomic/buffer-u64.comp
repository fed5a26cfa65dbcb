// SPDX-License-Identifier: MIT
// Atomics of type uint64_t in a buffer: 64 invocations each.
//! requires shaderInt64 shaderBufferInt64Atomics shaderSharedInt64Atomics
//! buffer 0.0 u64 : 0 1000 0 100 0 0 18446744073709551615 0*9
//! buffer 0.1 u64 : 0*64
//! expect 0.0 u64 : 2016 -1016 66 3 1048575 0 18446744073709551104
//! expect 0.0@64 u64 : 64
//! expect 0.1 u64 : 1*64
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
#define T uint64_t
layout(set = 0, binding = 0) buffer A { T v[16]; };
layout(set = 0, binding = 1) buffer B { T b[]; };
void main() {
  uint id = gl_LocalInvocationID.x;
  T i = T(id), one = T(1);
  T old = atomicAdd(v[0], i);
  atomicAdd(v[1], -i);
  atomicMax(v[2], i + T(3));
  atomicMin(v[3], T(66) - i);
  atomicOr(v[4], one << (i % T(20)));
  atomicXor(v[5], i * T(5));
  atomicAnd(v[6], ~(one << (i % T(9))));
  // A lock-free counter, and an exchange that hands each ticket to one invocation.
  T seen = v[8], assumed;
  do { assumed = seen; seen = atomicCompSwap(v[8], assumed, assumed + one); } while (seen != assumed);
  atomicExchange(b[uint(assumed)], one);
  barrier();
}

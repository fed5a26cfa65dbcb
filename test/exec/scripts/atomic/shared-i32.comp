// SPDX-License-Identifier: MIT
// Atomics of type int in workgroup memory: 64 invocations each.
//! buffer 0.0 i32 : 0 1000 0 100 0 0 -1 0*9
//! buffer 0.1 i32 : 0*64
//! expect 0.0 i32 : 2016 -1016 66 -60 1048575 0 -512
//! expect 0.0@32 i32 : 64
//! expect 0.1 i32 : 1*64
#version 450
layout(local_size_x = 64) in;
#define T int
layout(set = 0, binding = 0) buffer A { T o[16]; };
shared T v[16];
layout(set = 0, binding = 1) buffer B { T b[]; };
void main() {
  uint id = gl_LocalInvocationID.x;
  T i = T(id), one = T(1);
  if (id < 16) v[id] = o[id];
  barrier();
  T old = atomicAdd(v[0], i);
  atomicAdd(v[1], -i);
  atomicMax(v[2], i + T(3));
  atomicMin(v[3], T(3) - i);
  atomicOr(v[4], one << (i % T(20)));
  atomicXor(v[5], i * T(5));
  atomicAnd(v[6], ~(one << (i % T(9))));
  // A lock-free counter, and an exchange that hands each ticket to one invocation.
  T seen = v[8], assumed;
  do { assumed = seen; seen = atomicCompSwap(v[8], assumed, assumed + one); } while (seen != assumed);
  atomicExchange(b[uint(assumed)], one);
  barrier();
  if (id < 16) o[id] = v[id];
}

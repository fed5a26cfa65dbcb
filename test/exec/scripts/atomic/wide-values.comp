// SPDX-License-Identifier: MIT
// Atomics of 64-bit integers in buffers and workgroup memory, whose operands are loaded.
//! requires shaderInt64 shaderBufferInt64Atomics shaderSharedInt64Atomics
//! buffer 0.0 u64 : 0 0 0 9223372036854775807 18446744073709551615 1 77 0 0*2
//! buffer 0.1 u64 : 4294967297 4294967298 4294967300 4294967304
//! append u64 : 0*28
//! buffer 0.2 u64 : 0*10
//! expect 0.0 u64 : 17179869199 4294967311 4294967304 0 0 1 5 9 0 0
//! expect 0.2 u64 : 17179869199 4294967311 4294967304 0 0 1 5 9 0 0
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint64_t v[10]; };
layout(set = 0, binding = 1) readonly buffer B { uint64_t w[32]; };
layout(set = 0, binding = 2) buffer C { uint64_t o[10]; };
shared uint64_t s[10];
void main() {
  uint id = gl_LocalInvocationID.x;
  uint64_t x = w[id];
  if (id < 10) s[id] = v[id];
  barrier();
  atomicAdd(v[0], x); atomicAdd(s[0], x);
  atomicOr(v[1], x); atomicOr(s[1], x);
  atomicMax(v[2], x); atomicMax(s[2], x);
  atomicMin(v[3], x); atomicMin(s[3], x);
  atomicAnd(v[4], x); atomicAnd(s[4], x);
  if (id == 0) {
    // 1 ^ w[31] is 1.
    atomicXor(v[5], w[31]); atomicXor(s[5], w[31]);
    uint64_t old = atomicExchange(v[6], uint64_t(5)), oldShared = atomicExchange(s[6], uint64_t(5));
    uint64_t seen = atomicCompSwap(v[7], old - 77ul, old - 68ul);
    uint64_t seenShared = atomicCompSwap(s[7], oldShared - 77ul, oldShared - 68ul);
    atomicCompSwap(v[8], seen + 1ul, 3ul);
    atomicCompSwap(s[8], seenShared + 1ul, 3ul);
  }
  barrier();
  if (id < 10) o[id] = s[id];
}

// SPDX-License-Identifier: MIT
// Stores to an array in registers on some of the ways to where it is read.
//! buffer 0.0 u32 : random(41,64)
//! buffer 0.1 u32 : 0*64
//! expect 0.1 u32 : eval 64 { i % 8 == 0 && ((b0_0[i] & 31) != 31 || (b0_0[i*7%64] & 96) != 0) ? 5 : i % 8 == 0 && (b0_0[i] & 128) != 0 ? 9 : i }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex, x = a[i];
  uint v[8];
  for (uint k = 0u; k < 8u; ++k)
    v[k] = (i & ~7u) + k;
  if ((x & 128u) != 0u)
    v[0] = 9u;
  if ((x & 31u) != 31u || (a[i * 7u & 63u] & 96u) != 0u)
    v[0] = 5u;
  b[i] = v[i & 7u];
}

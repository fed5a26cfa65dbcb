// SPDX-License-Identifier: MIT
// Arrays in registers of vectors that fill three of four places, read by varying element and
// component.
//! buffer 0.0 u32 : random(23,256)
//! buffer 0.1 u32 : 0*64
//! buffer 0.2 u32 : 1
//! expect 0.1 u32 : eval 64 { b0_0[i*4] ^ (b0_0[i*4+1] % 3 == 0 ? b0_0[i*4+(b0_0[i*4+2]%3)] + b0_0[i*4+(b0_0[i*4+1]&1)] % 3 : 0) }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(set = 0, binding = 2) readonly buffer C { uint c; };
void main() {
  uint i = gl_LocalInvocationIndex, x = a[i * 4u + 1u], y = a[i * 4u + 2u];
  uvec3 v[2], w[3];
  for (uint k = 0u; k < 2u; ++k)
    v[k] = uvec3(a[i * 4u + k]);
  for (uint k = 0u; k < 3u; ++k)
    w[k] = uvec3(a[i * 4u + k]) + uvec3(0u, 1u, 2u);
  if (c < 2u)
    w[x % 3u].x ^= w[y % 3u][v[x & 1u].z % 3u];
  b[i] = w[0].x;
}

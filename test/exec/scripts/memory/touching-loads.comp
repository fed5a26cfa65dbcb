// SPDX-License-Identifier: MIT
// Uniform reads that lie beside each other: vectors and scalars of a block, in their order and in another one,
// with gaps and twice, by a loop's rounds that lanes leave at different times, and descriptors of a table.
//! buffer U u32 : eval 64 { i * 3 + 1 }
//! bind 0.0 uniform U
//! buffer 0.1 u32 : 0*512
//! buffer A u32 : 5 6 7 8
//! bind 0.2 storage A
//! buffer B u32 : 50 60 70 80
//! bind 0.3 storage B
//! buffer C u32 : 500 600 700 800
//! bind 0.4 storage C
//! expect 0.1 u32 : eval 64 { (0 * 3 + 1) + (4 * 3 + 1) * 2 + (8 * 3 + 1) * 3 + (12 * 3 + 1) * 4 + i }
//! expect 0.1@256 u32 : eval 64 { (26 * 3 + 1) * 5 + (20 * 3 + 1) * 7 + (19 * 3 + 1) * 11 + (16 * 3 + 1) * 13 + (17 * 3 + 1) * 17 }
//! expect 0.1@512 u32 : eval 64 { (28 + i % 4 * 4) * 3 + 1 + ((29 + i % 4 * 4) * 3 + 1) * 2 + ((31 + i % 4 * 4) * 3 + 1) * 5 }
//! expect 0.1@768 u32 : eval 64 { 5 + 60 * 2 + 700 * 3 + 8 * 4 + i }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std140) uniform U { uvec4 u[4]; uint p, q, r, s, t; uvec3 w; uvec4 x[8]; };
layout(set = 0, binding = 1) buffer O { uint o[]; };
layout(set = 0, binding = 2) readonly buffer A { uint a[]; };
layout(set = 0, binding = 3) readonly buffer B { uint b[]; };
layout(set = 0, binding = 4) readonly buffer C { uint c[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  o[i] = u[0].x + u[1].x * 2 + u[2].x * 3 + u[3].x * 4 + i;
  o[i + 64] = w.z * 5 + t * 7 + s * 11 + p * 13 + q * 17;
  uint last = 0;
  for (uint k = 0; k < 4; ++k) {
    last = x[k].x + x[k].y * 2 + x[k].w * 5;
    if (k == i % 4) break;
  }
  o[i + 128] = last;
  o[i + 192] = a[0] + b[1] * 2 + c[2] * 3 + a[3] * 4 + i;
}

// SPDX-License-Identifier: MIT
// robustBufferAccess2 and vectors of which only some components lie inside: each one counts alone.
//! requires robustBufferAccess2
//! buffer 0.0 u32 : 1..22
//! buffer 0.1 uniform u32 : 1..22
//! buffer 0.2 u32 : 9*64
//! buffer 0.3 u32 : 7*14
//! bind 0.4 storage 0.0 range=24
//! expect 0.2 u32 : eval 64 { i < 16 ? (i < 6 ? 17 + i : 0) : i < 32 ? (i - 16 < 6 ? 1 + i : 0) : i < 48 ? (i - 32 < 6 ? i - 31 : 0) : i < 56 ? (i - 48 < 2 ? i - 27 : 0) : i < 60 ? (i < 58 ? i - 35 : 0) : 9 }
//! expect 0.3 u32 : 0 1 2 3 4 5 6 7 8 9 10 11 12 13
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer A { uvec4 a[]; };
layout(set = 0, binding = 1, std140) uniform U { uvec4 u[8]; };
layout(set = 0, binding = 2, std430) buffer O { uvec4 o[]; };
layout(set = 0, binding = 3, std430) buffer W { uvec4 w[]; };
layout(set = 0, binding = 4, std430) buffer C { uvec4 c[]; };
void main() {
  for (uint i = 0; i < 4; ++i) {
    o[i] = a[4 + i];
    o[4 + i] = u[4 + i];
    o[8 + i] = c[i];
  }
  o[12] = a[5];
  o[13] = a[7];
  o[14] = uvec4(a[5].xy, u[6].xy);
  for (uint i = 0; i < 5; ++i) w[i] = 4 * i + uvec4(0, 1, 2, 3);
}

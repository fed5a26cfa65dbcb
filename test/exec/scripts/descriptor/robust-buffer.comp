// SPDX-License-Identifier: MIT
// robustBufferAccess2: loads beyond the end give zero, stores there do nothing.
//! requires robustBufferAccess2
//! buffer 0.0 u32 : 1..16
//! buffer 0.1 u32 : 7*16
//! buffer 0.2 uniform u32 : 1..16
//! buffer 0.3 u32 : 9*64
//! bind 0.4 storage 0.0 range=32
//! expect 0.3 u32 : eval 64 { (i < 16 ? i + 1 : 0) * 1000000 + (i / 4 < 4 ? i + 1 : 0) * 1000 + (i < 8 ? i + 1 : 0) }
//! expect 0.1 u32 : eval 16 { i }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(set = 0, binding = 2) uniform U { uvec4 u[100]; };
layout(set = 0, binding = 3) buffer O { uint o[]; };
layout(set = 0, binding = 4) buffer C { uint c[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  o[i] = a[i] * 1000000 + u[i / 4][i & 3] * 1000 + c[i];
  b[i] = i;
  b[0x3fffffffu - i] = 5;
}

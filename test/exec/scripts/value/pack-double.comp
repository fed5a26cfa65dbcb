// SPDX-License-Identifier: MIT
// Doubles from two words and back.
//! requires shaderFloat64
//! buffer 0.0 u32 : 0 0x3ff00000  0x9abcdef0 0xc0345678  1 0  0xffffffff 0x7fefffff
//! buffer 0.1 u32 : 9*16
//! expect 0.1 u32 : 0 0x40000000 0x00000000 0x3ff00000  0x9abcdef0 0xc0445678 0x9abcdef0 0xc0345678
//! ... 2 0 1 0  0xffffffff 0x7fdfffff 0xffffffff 0x7fefffff
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer X { uvec2 x[]; };
layout(set = 0, binding = 1) buffer R { uvec2 r[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  double d = packDouble2x32(x[i]);
  r[2 * i] = unpackDouble2x32(d * (i == 3 ? 0.5lf : 2.0lf));
  r[2 * i + 1] = unpackDouble2x32(d);
}

// SPDX-License-Identifier: MIT
// Packing and unpacking functions. Values are no ties, where rounding is free.
//! buffer 0.0 f32 : 0 1 -1 0.31 -0.7 2 -3 0.004 0.9961 0.5019 -0.1 0.77 1e-6 -0.0 100 0.25
//! buffer 0.1 u32 : 0 0xffffffff 0x80007fff 0x12345678 0x3c00bc00 0x00ff807f 0x7bff0400 0x81c3d4e5
//! ... 1 0x80 0x8000 0x7f7f7f7f 0x55aa55aa 0xc0004000 0x38003555 0x0bad0dad
//! buffer 0.2 u32 : 0*96
//! buffer 0.3 f32 : 0*256
//! compare 0.2 u32
//! compare 0.3 f32 ~ulp=2
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(set = 0, binding = 3) buffer D { vec4 d[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  vec4 v = vec4(a[i], a[(i + 3) & 15], a[(i + 7) & 15], a[(i + 12) & 15]);
  c[i] = packUnorm4x8(v);
  c[16 + i] = packSnorm4x8(v);
  c[32 + i] = packUnorm2x16(v.xy);
  c[48 + i] = packSnorm2x16(v.zw);
  c[64 + i] = packHalf2x16(v.yz);
  double p = packDouble2x32(uvec2(b[i], 0x3ff00000u | (b[i] >> 12)));
  c[80 + i] = unpackDouble2x32(p + 0.0LF).x ^ unpackDouble2x32(p).y;
  d[i] = unpackUnorm4x8(b[i]);
  d[16 + i] = unpackSnorm4x8(b[i]);
  d[32 + i] = vec4(unpackUnorm2x16(b[i]), unpackSnorm2x16(b[i]));
  d[48 + i] = vec4(unpackHalf2x16(b[i]), 0.0, 1.0);
}

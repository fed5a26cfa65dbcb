// SPDX-License-Identifier: MIT
// Whole structures and arrays from buffer to buffer and through locals.
//! buffer 0.0 f32 : 1..64
//! buffer 0.1 f32 : 0*64
//! expect 0.1 f32 : eval 64 { i / 16 == 1 ? (i % 16 == 4 ? 100 : i + 1 - 16) : i / 16 == 2 ? i + 1 + 16 : i / 16 == 3 ? i + 1 : 0 }
#version 450
layout(local_size_x = 1) in;
struct Inner { vec2 p; float q[2]; };
struct S { Inner list[3]; vec4 v; };
layout(set = 0, binding = 0, std430) readonly buffer A { S a[]; };
layout(set = 0, binding = 1, std430) buffer B { S b[]; };
void main() {
  S s = a[0];
  s.list[1].p.x = 100.0;
  b[1] = s;
  b[2] = a[3];
  Inner keep[3] = a[3].list;
  b[3].list = keep;
  b[3].v = a[3].v;
}

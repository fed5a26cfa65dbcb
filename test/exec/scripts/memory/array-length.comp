// SPDX-License-Identifier: MIT
// Lengths of runtime arrays behind other members and other strides.
//! buffer 0.0 f32 : 0*50
//! buffer 0.1 f32 : 0*50
//! buffer 0.2 f32 : 0*50
//! buffer 0.3 u32 : 0*3
//! expect 0.3 u32 : 50 11 23
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { vec4 head; int n; vec4 b[]; };
layout(set = 0, binding = 2) buffer C { float first[4]; vec2 c[]; };
layout(set = 0, binding = 3) buffer O { uint o[]; };
void main() { o[0] = a.length(); o[1] = b.length() + 1; o[2] = c.length(); }

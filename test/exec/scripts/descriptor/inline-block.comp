// SPDX-License-Identifier: MIT
// An inline uniform block between other bindings.
//! requires inlineUniformBlock
//! buffer data none u32 : 1 2 3 4 5 6 7 8
//! buffer 0.0 u32 : 100
//! bind 0.1 inline data
//! buffer 0.2 u32 : 0*2
//! expect 0.2 u32 : 108 115
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer A { uint a; };
layout(set = 0, binding = 1, std140) uniform I { uvec4 x, y; };
layout(set = 0, binding = 2) buffer O { uint o[]; };
void main() { o[0] = a + y.w; o[1] = a + x.x + x.y + x.z + x.w + y.x; }

// SPDX-License-Identifier: MIT
// A dispatch without workgroups does nothing; the next one runs.
//! buffer 0.0 u32 : 5
//! dispatch 0 1 1
//! dispatch 1 1 1
//! expect 0.0 u32 : 6
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint b; };
void main() { b += 1; }

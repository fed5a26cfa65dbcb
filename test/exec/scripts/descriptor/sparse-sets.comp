// SPDX-License-Identifier: MIT
// Sets and bindings with gaps in their numbers.
//! buffer 1.7 u32 : 11
//! buffer 3.2 u32 : 22
//! buffer 3.31 u32 : 0
//! expect 3.31 u32 : 33
#version 450
layout(local_size_x = 1) in;
layout(set = 1, binding = 7) buffer A { uint a; };
layout(set = 3, binding = 2) buffer B { uint b; };
layout(set = 3, binding = 31) buffer C { uint c; };
void main() { c = a + b; }

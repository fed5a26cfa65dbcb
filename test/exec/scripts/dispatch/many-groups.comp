// SPDX-License-Identifier: MIT
// Workgroups in large numbers, of sizes that are no multiple of a wave.
//! foreach SIZE 1 7 33 65 100
//! buffer 0.0 u32 : 0*20000
//! dispatch 200
//! expect 0.0 u32 : eval 20000 { i < ${SIZE} * 200 ? i * 3 + 1 : 0 }
#version 450
layout(local_size_x = SIZE) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() { b[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * 3 + 1; }

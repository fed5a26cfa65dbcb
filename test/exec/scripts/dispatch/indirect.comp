// SPDX-License-Identifier: MIT
// Sizes from a buffer, one of them zero; both dispatches add.
//! buffer sizes u32 : 9 9 3 2 1 0 4 4
//! buffer 0.0 u32 : 0*8
//! dispatch indirect sizes 8
//! dispatch indirect sizes 20
//! expect 0.0 u32 : 321 321 321 321 321 321 0 0
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  uvec3 n = gl_NumWorkGroups;
  atomicAdd(b[gl_WorkGroupID.y * n.x + gl_WorkGroupID.x], n.x * 100 + n.y * 10 + n.z);
}

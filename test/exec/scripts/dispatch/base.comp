// SPDX-License-Identifier: MIT
// vkCmdDispatchBase: ids begin at the base, the number of workgroups does not count it.
//! buffer 0.0 u32 : 0*24
//! dispatch 2 3 1 base=1,0,0
//! expect 0.0 u32 : 0 11 21 0 0 13 23 0 0 15 25 0 0*12
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  uvec3 g = gl_WorkGroupID;
  b[g.y * 4 + g.x] = g.x * 10 + g.y * 2 + gl_NumWorkGroups.x - 1;
}

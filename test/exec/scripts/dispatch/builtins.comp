// SPDX-License-Identifier: MIT
// All compute built-ins in three dimensions: the number of an invocation gives all of them.
//! buffer 0.0 u32 : 0*192
//! buffer 0.1 u32 : 0*192
//! buffer 0.2 u32 : 0*192
//! buffer 0.3 u32 : 0*192
//! dispatch 2 4 1
//! expect 0.0 u32 : eval 192 { (i % 24) % 4 + 4 * ((i / 24) % 2) }
//! expect 0.1 u32 : eval 192 { (i % 24) / 4 % 3 + 3 * (i / 48) }
//! expect 0.2 u32 : eval 192 { (i % 24) / 12 + 100 * (i % 24) }
//! expect 0.3 u32 : eval 192 { 2 + 40 + 100 + 4000 * 1 + 30000 + 200000 + (i / 24) * 1000000 }
#version 450
layout(local_size_x = 4, local_size_y = 3, local_size_z = 2) in;
layout(set = 0, binding = 0) buffer X { uint x[]; };
layout(set = 0, binding = 1) buffer Y { uint y[]; };
layout(set = 0, binding = 2) buffer Z { uint z[]; };
layout(set = 0, binding = 3) buffer W { uint w[]; };
void main() {
  uvec3 g = gl_WorkGroupID, n = gl_NumWorkGroups, s = gl_WorkGroupSize;
  uint group = g.x + n.x * (g.y + n.y * g.z);
  uint i = group * 24 + gl_LocalInvocationIndex;
  x[i] = gl_GlobalInvocationID.x;
  y[i] = gl_GlobalInvocationID.y;
  z[i] = gl_GlobalInvocationID.z + 100 * (gl_LocalInvocationID.x + 4 * (gl_LocalInvocationID.y + 3 * gl_LocalInvocationID.z));
  w[i] = n.x + 10 * n.y + 100 * n.z + 1000 * s.x + 10000 * s.y + 100000 * s.z + 1000000 * group;
}

// SPDX-License-Identifier: MIT
// Arrays of one descriptor, whose index (0) is a push constant that is indexed itself. Descriptors of
// dynamic buffers are user data, here more than fits into registers.
//! buffer 0.0 u32 : 7*6
//! buffer a u32 : 11
//! buffer b u32 : 22
//! buffer c u32 : 33
//! buffer d u32 : 44
//! bind 1.0[0] storage-dynamic a range=4
//! bind 1.1[0] uniform-dynamic b range=4
//! bind 1.2[0] storage-dynamic c range=4
//! bind 2.0[0] uniform-dynamic d range=4
//! push u32 : 0 1 2 3 0*28
//! expect 0.0 u32 : 11 22 33 44 3 7
#version 450
layout(local_size_x = 1) in;
layout(push_constant) uniform P { uint identity[32]; } p;
layout(set = 1, binding = 0) buffer A { uint v; } a[1];
layout(set = 1, binding = 1) uniform B { uint v; } b[1];
layout(set = 1, binding = 2) buffer C { uint v; } c[1];
layout(set = 2, binding = 0) uniform D { uint v; } d[1];
layout(set = 0, binding = 0) buffer R { uint r[]; };
void main() {
  uint i = p.identity[gl_WorkGroupID.x], n = p.identity[gl_WorkGroupID.x + 3];
  r[0] = a[i].v;
  r[1] = b[i].v;
  r[2] = c[i].v;
  r[3] = d[i].v;
  r[4] = n;
}

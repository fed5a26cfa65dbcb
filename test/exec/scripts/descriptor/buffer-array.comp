// SPDX-License-Identifier: MIT
// Arrays of buffers, indexed by constants, by uniform values and by values that differ.
//! requires shaderStorageBufferArrayNonUniformIndexing shaderStorageBufferArrayDynamicIndexing
//! buffer 0.0[0] u32 : 0 1
//! buffer 0.0[1] u32 : 10 11
//! buffer 0.0[2] u32 : 20 21
//! buffer 0.0[3] u32 : 30 31
//! buffer 0.0[4] u32 : 40 41
//! buffer 0.1 u32 : 0*16
//! push u32 : 3
//! expect 0.1 u32 : eval 16 { (i % 5) * 10 + (i & 1) + 20 + 31 }
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 16) in;
layout(push_constant) uniform P { uint p; };
layout(set = 0, binding = 0) buffer A { uint a[2]; } list[5];
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  b[i] = list[nonuniformEXT(i % 5)].a[i & 1] + list[2].a[0] + list[p].a[1];
}

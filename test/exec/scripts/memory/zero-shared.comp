// SPDX-License-Identifier: MIT
// Workgroup memory that begins with zeros in every workgroup: an array so large that it is cleared in
// a loop, one with a rest, and variables of functions beside them. Each workgroup leaves other values.
//! requires shaderZeroInitializeWorkgroupMemory
//! buffer 0.0 u32 : 0*512
//! dispatch 4
//! dispatch 4
//! expect 0.0 u32 : 2*512
#version 450
#extension GL_EXT_null_initializer : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared uint large[6000] = {};
shared uvec3 small[50] = {};
void main() {
  uint n = gl_LocalInvocationIndex, seen = 0;
  for (uint i = n; i < 6000; i += 128) {
    seen |= large[i];
    large[i] = 7 + i;
  }
  for (uint i = n; i < 50; i += 128) {
    seen |= small[i].x | small[i].y | small[i].z;
    small[i] = uvec3(9);
  }
  b[gl_WorkGroupID.x * 128 + n] += seen + 1;
}

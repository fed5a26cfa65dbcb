// SPDX-License-Identifier: MIT
// Workgroup size and array sizes from specialization constants, and operations on them.
//! spec 0 u32 16
//! spec 1 u32 4
//! spec 2 u32 5
//! buffer 0.0 u32 : 0*128
//! dispatch 2
//! expect 0.0 u32 : eval 128 { 16 * 1000 + 4 * 100 + 5 + 3 + (i % 64) }
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(constant_id = 2) const uint len = 1;
const uint twice = len * 2 + 3 - len - len + (len > 4 ? 0 : 7);
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared uint s[len * 13];
void main() {
  s[gl_LocalInvocationIndex] = gl_LocalInvocationIndex;
  barrier();
  uint list[len];
  for (uint k = 0; k < len; ++k) list[k] = 1;
  uint n = 0;
  for (uint k = 0; k < list.length(); ++k) n += list[k];
  b[gl_WorkGroupID.x * 64 + gl_LocalInvocationIndex] =
      gl_WorkGroupSize.x * 1000 + gl_WorkGroupSize.y * 100 + n + twice + s[gl_LocalInvocationIndex];
}

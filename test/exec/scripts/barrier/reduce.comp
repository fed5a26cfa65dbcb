// SPDX-License-Identifier: MIT
// A tree in workgroup memory over several waves.
//! foreach SIZE 32 64 128 256 512 1024
//! buffer 0.0 u32 : 1..2048
//! buffer 0.1 u32 : 0*2
//! dispatch 2
//! expect 0.1 u32 : eval 2 { ${SIZE} * (2 * i * ${SIZE} + ${SIZE} + 1) / 2 }
#version 450
layout(local_size_x = SIZE) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

shared uint s[SIZE];
void main() {
  uint l = gl_LocalInvocationID.x;
  s[l] = a[gl_GlobalInvocationID.x];
  barrier();
  for (uint k = SIZE / 2; k > 0; k >>= 1) {
    if (l < k) s[l] += s[l + k];
    barrier();
  }
  if (l == 0) b[gl_WorkGroupID.x] = s[0];
}

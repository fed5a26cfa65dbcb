// SPDX-License-Identifier: MIT
// Branches that all lanes take together: on push constants, workgroup ids and loaded scalars.
//! buffer 0.0 u32 : 3 0 7 1
//! buffer 0.1 u32 : 0*256
//! push u32 : 2 9
//! dispatch 4
//! expect 0.1 u32 : eval 256 { i/64 == 0 ? 3 * 9 : i/64 == 1 ? 100 : i/64 == 2 ? 200 + 7 * 2 : 1 * 9 }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

layout(push_constant) uniform P { uint p, q; };
void main() {
  uint g = gl_WorkGroupID.x, i = gl_GlobalInvocationID.x, n = a[g], r = 0;
  if (n == 0) r = 100;
  else if (g == p) { for (uint k = 0; k < n; ++k) r += p; r += 200; }
  else { for (uint k = 0; k < q; ++k) r += n; }
  b[i] = r;
}

// SPDX-License-Identifier: MIT
// The smallest test: every invocation writes a formula of its number.
//! buffer 0.0 u32 : 5*64
//! buffer 0.1 u32 : 0*64
//! push u32 : 7
//! spec 3 u32 11
//! expect 0.1 u32 : eval 64 { b0_0[i] * i + 7 + 11 }
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 3) const uint k = 1;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(push_constant) uniform P { uint p; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  b[i] = a[i] * i + p + k;
}

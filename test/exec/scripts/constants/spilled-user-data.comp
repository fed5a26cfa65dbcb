// SPDX-License-Identifier: MIT
// More sets, dynamic buffers and push constants than there are user registers: some of it spills.
//! push u32 : 1..32
//! buffer 0.0 storage u32 : 5
//! buffer 1.0 uniform-dynamic u32 : 105
//! buffer 2.0 storage u32 : 205
//! buffer 3.0 uniform-dynamic u32 : 305
//! buffer 0.1 u32 : 0*4
//! bind 1.1 storage 0.0
//! bind 2.1 storage 0.0
//! bind 3.1 storage 2.0
//! expect 0.1 u32 : 528 620 305 5
#version 450
layout(local_size_x = 1) in;
layout(push_constant) uniform P { uint p[32]; };
layout(set = 0, binding = 0) buffer A0 { uint a0; };
layout(set = 1, binding = 0) uniform A1 { uint a1; };
layout(set = 2, binding = 0) buffer A2 { uint a2; };
layout(set = 3, binding = 0) uniform A3 { uint a3; };
layout(set = 1, binding = 1) buffer C1 { uint c1; };
layout(set = 3, binding = 1) buffer C3 { uint c3; };
layout(set = 0, binding = 1) buffer O { uint o[]; };
void main() {
  uint s = 0;
  for (int k = 0; k < 32; ++k) s += p[k];
  o[0] = s; o[1] = a0 + a1 + a2 + a3 - 0; o[2] = a3; o[3] = c1 + c3 - a2;
}

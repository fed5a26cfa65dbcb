// SPDX-License-Identifier: MIT
// A component that OR sets to all ones, in vectors whose other components it does not.
//! buffer 0.0 u32 : random(31,256)
//! buffer 0.1 u32 : 0*128
//! expect 0.1 u32 : eval 128 { (i % 2 == 0 ? (b0_0[i/2*4] | 255) - b0_0[i/2*4+1] : 0xffffffff - b0_0[i/2*4+2]) & 0xffffffff }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uvec4 a[]; };
layout(set = 0, binding = 1) buffer B { uvec2 b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uvec4 v = a[i];
  b[i] = (v.xy | uvec2(255u, 0xffffffffu)) - v.yz;
}

// SPDX-License-Identifier: MIT
// Buffer contents that other waves of the workgroup wrote before a barrier.
//! buffer 0.0 u32 : 0*256
//! buffer 0.1 u32 : 0*256
//! expect 0.1 u32 : eval 256 { (255 - i) * 3 }
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) coherent buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint l = gl_LocalInvocationID.x;
  a[l] = l * 3;
  memoryBarrierBuffer();
  barrier();
  b[l] = a[255 - l];
}

// SPDX-License-Identifier: MIT
// Buffer device addresses: a list that each invocation walks, and stores through pointers.
//! requires bufferDeviceAddress shaderInt64
//! buffer nodes u64 : 0 7 0 0  0 5 0 0  0 3 0 0
//! buffer data u32 : 10..41
//! buffer 0.0 u64 : 0*2
//! append u32 : 0*32
//! address nodes@0 nodes@32
//! address nodes@32 nodes@64
//! address 0.0@0 nodes
//! address 0.0@8 data
//! expect 0.0@16 u32 : eval 32 { 15 + data[i] * 2 }
//! expect data u32 : eval 32 { data[i] + 1 }
#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { Node next; uint value; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Data { uint d[]; };
layout(set = 0, binding = 0) buffer B { Node head; Data data; uint o[]; };
void main() {
  uint i = gl_LocalInvocationID.x, sum = 0;
  Node n = head;
  for (int k = 0; k < 3; ++k) { sum += n.value; n = n.next; }
  Data p = data;
  o[i] = sum + p.d[i] * 2;
  p.d[i] += 1;
}

// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// Coherent accesses are atomic, and those need their natural alignment: 8 bytes for a pointer.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430) coherent buffer Node { uint v; Node next; };
layout(std430, binding = 0) coherent buffer B { Node first; } b;
void main() {
  // CHECK: load atomic ptr addrspace(1), {{.*}} syncscope("agent") monotonic, align 8
  // CHECK: load atomic ptr addrspace(1), {{.*}} syncscope("agent") monotonic, align 8
  // CHECK: store atomic ptr addrspace(1) {{.*}} syncscope("agent") monotonic, align 8
  b.first = b.first.next;
}

// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// Explicit layout: blocks overlap at offset 0 of one allocation as large as the largest, accesses
// are by byte offset.
#version 460
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint o; };
// CHECK: @{{.*}} = internal addrspace(3) global [256 x i8] undef, align 16
// CHECK-NOT: addrspace(3) global
shared S { uint words[16]; } s;
shared T { layout(offset = 16) uint8_t bytes[240]; } t;
void main() {
  // CHECK: store i32 7, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @{{.*}}, i32 8)
  s.words[2] = 7;
  // CHECK: [[BYTE:%.*]] = getelementptr i8, ptr addrspace(3) {{%.*}}, i32 16
  // CHECK: load i8, ptr addrspace(3) [[BYTE]], align 1
  o = t.bytes[o];
}

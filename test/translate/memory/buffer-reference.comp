// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// PhysicalStorageBuffer: 64-bit arithmetic on global pointers, alignment from the access.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Item { vec2 v; uint w; };
layout(push_constant) uniform P { Item item; uint64_t address; int index; } p;
void main() {
  // CHECK: [[PC:%.*]] = call ptr addrspace(4) @lgc.push.const
  // CHECK: [[ITEM:%.*]] = load ptr addrspace(1), ptr addrspace(4) {{%.*}}, align 4, !invariant.load
  // CHECK: getelementptr i8, ptr addrspace(1) {{%.*}}, i64 8
  // CHECK: load i32, ptr addrspace(1) {{.*}}, align 8{{$}}
  uint w = p.item.w;
  // CHECK: [[A:%.*]] = load i64, ptr addrspace(4)
  // CHECK: inttoptr i64 [[A]] to ptr addrspace(1)
  // CHECK: store <2 x float> {{.*}}, ptr addrspace(1) {{.*}}, align 8
  Item(p.address).v = vec2(w);
}

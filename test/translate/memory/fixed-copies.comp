// RUN: amdllpc -gfxip=gfx1100 -emit-lgc -o - %s | FileCheck %s
#version 450
// A block by value, of which elements at computed places are read: the variable is not there, and its elements are in the
// block, at its layout. What may be written behind the copy, and what is changed, is a variable.
layout(local_size_x = 64) in;
struct Table { float x[64]; };
layout(set = 0, binding = 0, std140) uniform A { Table a; };
layout(set = 0, binding = 1, std430) buffer B { Table b; uint i[]; };
layout(set = 0, binding = 2, std430) buffer C { float c[]; };
void main() {
  Table whole = a;
  // CHECK: [[BLOCK:%.*]] = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %{{.*}}, i32 6)
  // CHECK-NOT: %whole = alloca
  // CHECK: %before = alloca
  // CHECK: %changed = alloca
  Table before = b;
  Table changed = a;
  changed.x[1] = 0;
  // CHECK: [[I:%.*]] = load i32, ptr addrspace(7)
  // CHECK: [[OFFSET:%.*]] = mul i32 [[I]], 16
  // CHECK: [[PLACE:%.*]] = getelementptr i8, ptr addrspace(7) [[BLOCK]], i32 [[OFFSET]]
  // CHECK: = load float, ptr addrspace(7) [[PLACE]], align 16, !invariant.load
  c[0] = whole.x[i[0]];
  // CHECK: getelementptr {{.*}}, ptr addrspace(5) %before
  c[1] = before.x[i[0]];
  // CHECK: getelementptr {{.*}}, ptr addrspace(5) %changed
  c[2] = changed.x[i[0]];
}

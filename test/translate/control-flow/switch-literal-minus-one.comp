// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// Case literals are no labels, whatever their value: the search for blocks that must stay inside
// their loop and the one for constant tables look at every operand.
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { int s; int r; int v[]; };
void main() {
  const int table[3] = int[](4, 5, 6);
  int x = 0;
  for (int i = 0; i < s; ++i) {
    switch (v[i]) {
    case -1: x += table[i]; break;
    case -2: x += 2; break;
    case 2147483647: x += 3; break;
    }
    if (v[i] > x) {
      // CHECK: call i32 @lgc.subgroup.arith
      // CHECK: [[TRUE:%.*]] = call i1 @lgc.reconverge.true
      // CHECK-NEXT: br i1 [[TRUE]], label
      r = subgroupAdd(x);
      break;
    }
  }
}

// A return out of a loop after a subgroup operation stays inside, in the innermost loop.
// RUN: amdllpc -emit-lgc -o - %s | FileCheck %s
// CHECK: store i32 0,
// CHECK-NEXT: br label %[[INNER:[0-9]+]]
// CHECK: lgc.subgroup.arith
// CHECK: [[TRUE:%.*]] = call i1 @lgc.reconverge.true
// CHECK-NEXT: br i1 [[TRUE]], label %{{[0-9]+}}, label %[[INNER]]
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, x = data[i];
  for (;;) {
    for (uint k = 0; k < x; ++k) {
      x = x * 3u + 1u;
      if ((x & 7u) == 0u) {
        data[i] = subgroupAdd(x);
        return;
      }
    }
    x = data[x];
  }
}

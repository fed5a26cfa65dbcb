// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// RUN: amdllpc -mcpu=gfx1030 %s -o %t.elf
// RUN: amdllpc -mcpu=gfx1150 %s -o %t.elf
// RUN: amdllpc -mcpu=gfx1201 %s -o %t.elf
// Each emission stores the outputs of its stream alone, captured ones a second time for transform
// feedback.
#version 450
layout(points) in;
layout(points, max_vertices = 2) out;
layout(location = 0, stream = 0, xfb_buffer = 0, xfb_offset = 4, xfb_stride = 16) out vec2 a;
layout(location = 1, stream = 3, xfb_buffer = 2, xfb_offset = 0, xfb_stride = 24) out dvec3 b;
void main() {
  a = gl_in[0].gl_Position.xy;
  b = dvec3(1.0);
  EmitStreamVertex(0);
  EndStreamPrimitive(0);
  EmitStreamVertex(3);
}
// CHECK: call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> {{%.*}}, i32 0, i32 0, i32 0, i32 0)
// CHECK-NEXT: call void @lgc.xfb.store__void_v2f32_i32_i32_i32(<2 x float> {{%.*}}, i32 0, i32 4, i32 0)
// CHECK-NEXT: call void @lgc.emit.vertex__void_i32(i32 0)
// CHECK-NEXT: call void @lgc.end.primitive__void_i32(i32 0)
// CHECK: call void @lgc.output.store__void_v4i32_i32_i32_i32_i32(<4 x i32> {{%.*}}, i32 1, i32 0, i32 0, i32 3)
// CHECK: call void @lgc.output.store__void_v2i32_i32_i32_i32_i32(<2 x i32> {{%.*}}, i32 2, i32 0, i32 0, i32 3)
// CHECK: call void @lgc.xfb.store__void_v4i32_i32_i32_i32(<4 x i32> {{%.*}}, i32 2, i32 0, i32 3)
// CHECK: call void @lgc.xfb.store__void_v2i32_i32_i32_i32(<2 x i32> {{%.*}}, i32 2, i32 16, i32 3)
// CHECK: call void @lgc.emit.vertex__void_i32(i32 3)
// CHECK-DAG: !{!"xfb.enabled", i32 1}
// CHECK-DAG: !{!"xfb.strides", i32 16, i32 0, i32 24, i32 0}
// CHECK-DAG: !{!"xfb.streamOfBuffer", i32 0, i32 0, i32 3, i32 0}

// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// RUN: amdllpc -mcpu=gfx1010 %s -o %t.elf
// RUN: amdllpc -mcpu=gfx1100 %s -o %t.elf
// RUN: amdllpc -mcpu=gfx1201 %s -o %t.elf
// Inputs are read where the shader reads them; outputs are stored in front of each emission, in a
// function that is called too. Slots: 512 Position, 518 Layer, 519 ViewportIndex, 520 PrimitiveId.
#version 450
layout(triangles_adjacency, invocations = 3) in;
layout(line_strip, max_vertices = 7) out;
layout(location = 0) in vec2 uv[][2];
layout(location = 4) out vec2 outUv;
void next(int i) {
  gl_Position = gl_in[i].gl_Position;
  EmitVertex();
}
void main() {
  outUv = uv[2][1];
  gl_Layer = gl_InvocationID;
  gl_ViewportIndex = 1;
  gl_PrimitiveID = gl_PrimitiveIDIn;
  for (int i = 0; i < 6; i += 2)
    next(i);
  EndPrimitive();
}
// CHECK: define internal void
// CHECK: call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 %
// CHECK-DAG: call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> {{%.*}}, i32 4, i32 0, i32 0, i32 0)
// CHECK-DAG: call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> {{%.*}}, i32 512, i32 0, i32 0, i32 0)
// CHECK-DAG: call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 {{%.*}}, i32 518, i32 0, i32 0, i32 0)
// CHECK-DAG: call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 {{%.*}}, i32 519, i32 0, i32 0, i32 0)
// CHECK-DAG: call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 {{%.*}}, i32 520, i32 0, i32 0, i32 0)
// CHECK: call void @lgc.emit.vertex__void_i32(i32 0)
// CHECK: define {{.*}}void @lgc.shader.GS()
// CHECK: call i32 @lgc.builtin__i32_i32(i32 24)
// CHECK: call <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 2)
// CHECK: call void @lgc.end.primitive__void_i32(i32 0)
// CHECK-DAG: !{!"stages", !"vertex", !"geometry", !"fragment"}
// CHECK-DAG: !{!"geometry.input", !"trianglesAdjacency"}
// CHECK-DAG: !{!"geometry.output", !"lines"}
// CHECK-DAG: !{!"geometry.invocations", i32 3}
// CHECK-DAG: !{!"geometry.outputVertices", i32 7}

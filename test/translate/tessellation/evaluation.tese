// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// RUN: amdllpc -mcpu=gfx1010 %s -o %t.elf
// RUN: amdllpc -mcpu=gfx1100 %s -o %t.elf
// RUN: amdllpc -mcpu=gfx1201 %s -o %t.elf
// RUN: pal-verify %t.elf
// Patch inputs are loaded where they are read, an index selects among their slots (404 | 2 << 16).
#version 460
layout(triangles, fractional_odd_spacing, cw) in;
layout(location = 0) in vec3 normals[];
layout(location = 20) patch in vec4 table[3];
layout(location = 0) out vec4 color;
layout(binding = 0) uniform U { int k; };
// CHECK-LABEL: define void @lgc.shader.TES()
void main() {
  // CHECK-DAG: call <3 x float> @lgc.builtin__v3f32_i32(i32 23)
  // CHECK-DAG: call i32 @lgc.builtin__i32_i32(i32 25)
  // CHECK-DAG: call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 1)
  gl_Position = gl_in[1].gl_Position * gl_TessCoord.x + float(gl_PrimitiveID);
  // CHECK-DAG: call <3 x float> @lgc.input.load__v3f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 {{%.*}})
  // CHECK-DAG: call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 131476, i32 0, i32 {{%.*}}, i32 poison)
  // CHECK-DAG: call float @lgc.input.load__f32_i32_i32_i32_i32(i32 523, i32 1, i32 0, i32 poison)
  color = vec4(normals[k], gl_TessLevelInner[1]) + table[k];
}
// CHECK-DAG: !{!"tess.domain", !"triangles"}
// CHECK-DAG: !{!"tess.spacing", !"fractionalOdd"}
// CHECK-DAG: !{!"tess.order", !"cw"}

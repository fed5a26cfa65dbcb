// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// RUN: amdllpc -mcpu=gfx1010 %s -o %t.elf
// RUN: amdllpc -mcpu=gfx1100 %s -o %t.elf
// RUN: amdllpc -mcpu=gfx1201 %s -o %t.elf
// Inputs and outputs are accessed where the shader does, by vertex; Patch slots begin at 384.
#version 460
layout(vertices = 3) out;
layout(location = 0) in vec3 normals[];
layout(location = 1) in vec2 list[][3];
layout(location = 0) out vec3 outNormals[];
layout(location = 10) patch out PatchData { vec4 color; } blocks[2];
layout(binding = 0) uniform U { int k; };
// CHECK-LABEL: define void @lgc.shader.TCS()
void main() {
  // CHECK: [[ID:%.*]] = call i32 @lgc.builtin__i32_i32(i32 24)
  // CHECK: call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32
  // CHECK: call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> {{.*}}, i32 512, i32 0, i32 0, i32
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
  // An array of three locations from 1 on: 1 | 2 << 16.
  // CHECK: call <3 x float> @lgc.input.load__v3f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 2)
  // CHECK: call float @lgc.input.load__f32_i32_i32_i32_i32(i32 131073, i32 1, i32 {{%.*}}, i32 0)
  outNormals[gl_InvocationID] = normals[2] * list[0][k].y;
  // CHECK: call void @lgc.control.barrier
  barrier();
  // CHECK: call float @lgc.output.load__f32_i32_i32_i32_i32(i32 0, i32 2, i32 0, i32 1)
  // CHECK: switch i32
  // CHECK: call void @lgc.output.store__void_f32_i32_i32_i32_i32(float {{.*}}, i32 522, i32 3, i32 0, i32 poison)
  gl_TessLevelOuter[k] = outNormals[1].z;
  // CHECK: call void @lgc.output.store__void_f32_i32_i32_i32_i32(float {{.*}}, i32 523, i32 0, i32 0, i32 poison)
  gl_TessLevelInner[0] = 2.0;
  // 394 | 1 << 16; glslang decorates the member
  // CHECK: call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> {{.*}}, i32 65930, i32 0, i32 {{%.*}}, i32 poison)
  blocks[k].color = vec4(gl_PrimitiveID, gl_PatchVerticesIn, 0, 1);
}

; RUN: lgc-opt -passes=lgc-lower-vertex-fetch %s -o - | FileCheck %s
; RUN: lgc-opt -passes=lgc-lower-vertex-fetch,early-cse,lgc-lower-vertex-exports,early-cse,adce,lgc-lower-entry-point %s -o - | FileCheck %s --check-prefix=ENTRY

; Without vertex formats, what the shader declares decides: 32 bits each, converted behind.
; CHECK-LABEL: define void @lgc.shader.VS
; CHECK: call float @lgc.vertex.input__f32_i32_i32(i32 0, i32 0)
; CHECK: call float @lgc.vertex.input__f32_i32_i32(i32 0, i32 1)
; CHECK: call float @lgc.vertex.input__f32_i32_i32(i32 0, i32 2)
; CHECK: [[H:%.*]] = call float @lgc.vertex.input__f32_i32_i32(i32 1, i32 3)
; CHECK: fptrunc float [[H]] to half
; CHECK: [[S:%.*]] = call i32 @lgc.vertex.input__i32_i32_i32(i32 7, i32 1)
; CHECK: trunc i32 [[S]] to i16

; Registers behind those of the hardware, ascending, only what is read. The ids, the table and the
; first vertex and instance are there although the shader itself does without.
; ENTRY: define amdgpu_gs void @_amdgpu_gs_main(
; ENTRY-SAME: i32 inreg noundef %BaseVertex, i32 inreg noundef %BaseInstance
; ENTRY-SAME: i32 inreg noundef %VertexBufferTable
; ENTRY-SAME: i32 noundef %vertexId, i32 noundef %{{[a-zA-Z0-9]*}}, i32 noundef %{{[a-zA-Z0-9]*}}, i32 noundef %instanceId, float noundef %input0.0, float noundef %input0.2, float noundef %input1.3, i32 noundef %input7.1)
; ENTRY-NOT: lgc.vertex.input
; ENTRY: !lgc.part.info
define void @lgc.shader.VS() {
  %in0 = call <3 x float> @lgc.input.load__v3f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  %in1 = call half @lgc.input.load__f16_i32_i32_i32_i32(i32 1, i32 3, i32 0, i32 poison)
  %in7 = call i16 @lgc.input.load__i16_i32_i32_i32_i32(i32 7, i32 1, i32 0, i32 poison)
  %x = extractelement <3 x float> %in0, i32 0
  %z = extractelement <3 x float> %in0, i32 2
  store volatile float %x, ptr addrspace(1) null
  store volatile float %z, ptr addrspace(1) null
  store volatile half %in1, ptr addrspace(1) null
  store volatile i16 %in7, ptr addrspace(1) null
  ret void
}
declare <3 x float> @lgc.input.load__v3f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare half @lgc.input.load__f16_i32_i32_i32_i32(i32, i32, i32, i32)
declare i16 @lgc.input.load__i16_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2, !3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"relocatable", i1 true}
!3 = !{!"separateVertexFetch", i1 true}

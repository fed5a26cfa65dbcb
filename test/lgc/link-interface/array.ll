; RUN: lgc-opt -passes=lgc-link-interface -verify-each %s -o - | FileCheck %s

; A fragment shader indexes locations 4 to 6 (operand 4 | 2 << 16): these stay together, in front of
; what is packed, with the components where they were. A mesh shader's primitive attributes are
; numbered on their own; one of them is written with an index.
; CHECK-LABEL: define void @lgc.shader.MS()
; CHECK: (<4 x float> %v, i32 1, i32 0, i32 0, i32 %i)
; CHECK: (float %f, i32 3, i32 0, i32 0, i32 %i)
; CHECK: (float %f, i32 65792, i32 2, i32 %i, i32 %i)
; CHECK-NOT: output.store
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: (i32 131072, i32 0, i32 %i, <2 x float> %ij)
; CHECK: (i32 3, i32 0, i32 0, <2 x float> %ij)
; CHECK: (i32 257, i32 2, i32 0, i32 poison)
define void @lgc.shader.MS() {
  %v = load volatile <4 x float>, ptr addrspace(3) null
  %f = load volatile float, ptr addrspace(3) null
  %i = load volatile i32, ptr addrspace(3) null
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 4, i32 0, i32 1, i32 %i)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 1, i32 3, i32 0, i32 %i)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 65798, i32 2, i32 %i, i32 %i)
  ret void
}
define void @lgc.shader.FS() {
  %i = load volatile i32, ptr addrspace(3) null
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %a = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 131076, i32 0, i32 %i, <2 x float> %ij)
  %b = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 1, i32 3, i32 0, <2 x float> %ij)
  %c = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 262, i32 2, i32 1, i32 poison)
  store volatile float %a, ptr addrspace(3) null
  store volatile float %b, ptr addrspace(3) null
  store volatile float %c, ptr addrspace(3) null
  ret void
}
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32) convergent nounwind willreturn memory(none)
declare float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>) nounwind willreturn memory(none)
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32) nounwind willreturn memory(none)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh", !"fragment"}

; RUN: lgc-opt -passes=lgc-link-interface -verify-each %s -o - | FileCheck %s

; Location 3 (vec3, smooth), 5.w (smooth) and 7 (int, flat) are read, 4 is not, 9 is nobody's: the
; smooth components share slot 0, the flat one has slot 1 and the value that nobody writes is 0. The
; position is no attribute. Nothing is left of the code for location 4.
; CHECK-LABEL: define void @lgc.shader.VS()
; CHECK-NOT: fmul
; CHECK: [[XY:%.*]] = shufflevector <3 x float> %a, <3 x float> poison, <2 x i32> <i32 1, i32 2>
; CHECK: call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> [[XY]], i32 0, i32 0, i32 0, i32 poison)
; CHECK: call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %w, i32 0, i32 2, i32 0, i32 poison)
; CHECK: call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %flat, i32 1, i32 0, i32 0, i32 poison)
; CHECK: call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %pos, i32 512, i32 0, i32 0, i32 poison)
; CHECK-NOT: output.store
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: [[PAIR:%.*]] = call <2 x float> @lgc.input.interpolate__v2f32_i32_i32_i32_v2f32(i32 0, i32 0, i32 0, <2 x float> %ij)
; CHECK: {{%.*}} = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 0, i32 2, i32 0, <2 x float> %ij)
; CHECK: @lgc.input.load__i32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 poison)
; CHECK: store volatile float 0.000000e+00
define void @lgc.shader.VS() {
  %a = load volatile <3 x float>, ptr addrspace(3) null
  %w = load volatile float, ptr addrspace(3) null
  %flat = load volatile i32, ptr addrspace(3) null
  %pos = load volatile <4 x float>, ptr addrspace(3) null
  %dead = fmul float %w, 3.0
  call void @lgc.output.store__void_v3f32_i32_i32_i32_i32(<3 x float> %a, i32 3, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %dead, i32 4, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %w, i32 5, i32 3, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %flat, i32 7, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %pos, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.FS() {
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %a = call <3 x float> @lgc.input.interpolate__v3f32_i32_i32_i32_v2f32(i32 3, i32 0, i32 0, <2 x float> %ij)
  %y = extractelement <3 x float> %a, i32 1
  %z = extractelement <3 x float> %a, i32 2
  %w = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 5, i32 3, i32 0, <2 x float> %ij)
  %flat = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 7, i32 0, i32 0, i32 poison)
  %none = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 9, i32 0, i32 0, i32 poison)
  %unused = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 4, i32 0, i32 0, i32 poison)
  store volatile float %y, ptr addrspace(3) null
  store volatile float %z, ptr addrspace(3) null
  store volatile float %w, ptr addrspace(3) null
  store volatile i32 %flat, ptr addrspace(3) null
  store volatile float %none, ptr addrspace(3) null
  ret void
}
declare void @lgc.output.store__void_v3f32_i32_i32_i32_i32(<3 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32) convergent nounwind willreturn memory(none)
declare <3 x float> @lgc.input.interpolate__v3f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>) nounwind willreturn memory(none)
declare float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>) nounwind willreturn memory(none)
declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32) nounwind willreturn memory(none)
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32) nounwind willreturn memory(none)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}

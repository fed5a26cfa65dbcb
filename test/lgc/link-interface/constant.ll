; RUN: lgc-opt -passes=lgc-link-interface -verify-each %s -o - | FileCheck %s

; Constants go through all stages: the evaluation shader hands location 0 of the control shader on.
; Stores of different constants on two paths are no constant; undefined values do not count. The
; tessellation levels stay, the vertex shader's output does not.
; CHECK-LABEL: define void @lgc.shader.VS()
; CHECK-NEXT: ret void
; CHECK-LABEL: define void @lgc.shader.TCS()
; CHECK: br i1 %c
; CHECK: i32 1, i32 0, i32 0, i32 0)
; CHECK: i32 1, i32 0, i32 0, i32 0)
; CHECK: call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 4.000000e+00, i32 522, i32 0, i32 0, i32 poison)
; CHECK-NOT: output.store
; CHECK-LABEL: define void @lgc.shader.TES()
; CHECK-NEXT: %two = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 0)
; CHECK-NEXT: call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %two, i32 0, i32 0, i32 0, i32 poison)
; CHECK-NEXT: ret void
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: [[TWO:%.*]] = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
; CHECK: store volatile float 5.000000e-01
; CHECK: store volatile i32 1056964608
; CHECK: store volatile float [[TWO]]
define void @lgc.shader.VS() {
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 2.0, i32 8, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.TCS() {
  %in = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 8, i32 0, i32 0, i32 0)
  %c = fcmp ogt float %in, 1.0
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 0.5, i32 0, i32 0, i32 0, i32 0)
  br i1 %c, label %then, label %else
then:
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 1.0, i32 1, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 0.5, i32 0, i32 0, i32 0, i32 0)
  br label %end
else:
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 2.0, i32 1, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float undef, i32 0, i32 0, i32 0, i32 0)
  br label %end
end:
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 4.0, i32 522, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.TES() {
  %half = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 0)
  %two = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %half, i32 2, i32 1, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %two, i32 3, i32 1, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.FS() {
  %half = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 2, i32 1, i32 0, i32 poison)
  %bits = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 2, i32 1, i32 0, i32 poison)
  %two = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 3, i32 1, i32 0, i32 poison)
  store volatile float %half, ptr addrspace(3) null
  store volatile i32 %bits, ptr addrspace(3) null
  store volatile float %two, ptr addrspace(3) null
  ret void
}
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32) nounwind willreturn memory(none)
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32) nounwind willreturn memory(none)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"tessControl", !"tessEval", !"fragment"}

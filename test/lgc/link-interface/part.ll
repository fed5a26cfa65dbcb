; RUN: lgc-opt -passes=lgc-link-interface -verify-each %s -o - | FileCheck %s --check-prefixes=CHECK,PART
; RUN: sed 's/, !"fragment"//' %s | lgc-opt -passes=lgc-link-interface -verify-each - -o - | FileCheck %s --check-prefix=CHECK
; RUN: sed 's/, !"fragment"//' %s | lgc-opt -passes=lgc-link-interface - -o - | FileCheck %s --check-prefix=NONE

; Without the fragment shader in the module slots keep their numbers, so that the parts fit. A
; pipeline without any fragment shader has nobody who reads attributes.
; CHECK-LABEL: define void @lgc.shader.VS()
; PART-NEXT: call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 1.000000e+00, i32 7, i32 2, i32 0, i32 poison)
; CHECK-NEXT: call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 2.000000e+00, i32 513, i32 0, i32 0, i32 poison)
; PART-NEXT: call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 3, i32 520, i32 0, i32 0, i32 poison)
; CHECK-NEXT: ret void
define void @lgc.shader.VS() {
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 1.0, i32 7, i32 2, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 2.0, i32 513, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 3, i32 520, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
; NONE-NOT: i32 7
; NONE-NOT: i32 520

; RUN: split-file %s %t
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each %t/views.ll -o - | FileCheck %t/views.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each %t/layers.ll -o - | FileCheck %t/layers.ll
; RUN: lgc-opt -compile -filetype=asm -mcpu=gfx1010 -verify-each %t/views.ll -o - | FileCheck %t/views.ll --check-prefix=ASM
; RUN: lgc-opt -compile -filetype=asm -mcpu=gfx1201 -verify-each %t/views.ll -o - | FileCheck %t/views.ll --check-prefix=ASM

;--- views.ll
; A fragment shader alone. With multiview the layer is the view, which the driver passes: no attribute that the other
; part would have to write. The other input keeps its slot.
; CHECK: [[VIEW:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435467)
; CHECK: store volatile i32 [[VIEW]]
; CHECK-NOT: !".semantic", i64 518
; CHECK: !{!".ps_input_semantic", !"[0]", !".semantic", i64 3}
; CHECK-NOT: !".semantic", i64 518
; ASM: .num_interpolants: 0x1
; ASM: .ps_input_semantic:
; ASM-NEXT: - .semantic: 0x3
; ASM-NOT: .semantic: 0x206
define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %layer = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 518, i32 0, i32 0, i32 poison)
  %other = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 3, i32 0, i32 0, i32 poison)
  store volatile i32 %layer, ptr addrspace(1) %out
  store volatile i32 %other, ptr addrspace(1) %out
  ret void
}
declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!lgc.part = !{!3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"enableMultiView", i32 1}
!3 = !{!"relocatable", i1 true}

;--- layers.ll
; Without it, the layer is what the other part writes.
; CHECK-NOT: lgc.special.user.data
; CHECK: !{!".ps_input_semantic", !"[0]", !".semantic", i64 518}
define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %layer = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 518, i32 0, i32 0, i32 poison)
  store volatile i32 %layer, ptr addrspace(1) %out
  ret void
}
declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!3 = !{!"relocatable", i1 true}

; RUN: split-file %s %t
; RUN: lgc-opt -passes=lgc-add-fragment-shader -verify-each %t/none.ll -o - | FileCheck %t/none.ll
; RUN: lgc-opt -passes=lgc-add-fragment-shader -verify-each %t/part.ll -o - | FileCheck %t/part.ll
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1010 %t/none.ll -o %t/1010 && pal-verify %t/1010
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1030 %t/none.ll -o %t/1030 && pal-verify %t/1030
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1100 %t/none.ll -o %t/1100 && pal-verify %t/1100
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1150 %t/none.ll -o %t/1150 && pal-verify %t/1150
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1201 %t/none.ll -o %t/1201 && pal-verify %t/1201
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1100 %t/none.ll -o - | FileCheck %t/none.ll --check-prefix=ASM

;--- none.ll
; CHECK: define void @lgc.shader.FS() {
; CHECK-NEXT: ret void
; ASM: _amdgpu_ps_main:
; ASM-NOT: exp
; ASM: s_endpgm
; ASM: .spi_shader_col_format
; ASM: .col_0_export_format: 0
define void @lgc.shader.VS() {
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}

;--- part.ll
; CHECK-NOT: @lgc.shader.FS
define void @lgc.shader.VS() {
  ret void
}
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}

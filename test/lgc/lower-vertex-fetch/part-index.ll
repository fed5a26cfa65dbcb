; RUN: lgc-opt -passes=lgc-lower-vertex-builtins,lgc-lower-vertex-fetch,adce,lgc-lower-vertex-exports,adce,lgc-lower-entry-point %s -o - | FileCheck %s
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefixes=ASM,V5
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1100 %s -o - | FileCheck %s --check-prefixes=ASM,V5
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1201 %s -o - | FileCheck %s --check-prefixes=ASM,V3

; Glue leaves the vertex index where the vertex's number was, and has turned on all lanes.
; CHECK-LABEL: define amdgpu_gs void @_amdgpu_gs_main(
; CHECK-SAME: i32 noundef %vertexId
; CHECK: sitofp i32 %vertexId to float
; CHECK: attributes #{{[0-9]+}} = {{{.*}}"lgc-all-lanes"
; ASM-LABEL: _amdgpu_gs_main:
; ASM-NOT: exec{{(_lo)?}}, -1
; V5: v_cvt_f32_i32_e32 v{{[0-9]+}}, v5
; V3: v_cvt_f32_i32_e32 v{{[0-9]+}}, v3
define void @lgc.shader.VS() {
  %in = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  %id = call i32 @lgc.builtin__i32_i32(i32 16)
  %f = sitofp i32 %id to float
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %in, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare i32 @lgc.builtin__i32_i32(i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2, !3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"relocatable", i1 true}
!3 = !{!"separateVertexFetch", i1 true}

; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=HS6 %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=HS6 %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=HS6 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=HS6 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=HS4 %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=obj %s -o - | pal-verify -
; RUN: sed '/^define void @lgc.shader.T/,/^}/d; s/!"tessControl", !"tessEval", //' %s > %t.ll
; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm -verify-each %t.ll -o - | FileCheck --check-prefixes=GS9 %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %t.ll -o - | FileCheck --check-prefixes=GS9 %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm -verify-each %t.ll -o - | FileCheck --check-prefixes=GS9 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm -verify-each %t.ll -o - | FileCheck --check-prefixes=GS9 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm -verify-each %t.ll -o - | FileCheck --check-prefixes=GS5 %s

; The vertex shader is a half of a merged stage, with a control or a geometry shader: its attributes
; stand behind the registers of both halves.
; HS6-LABEL: _amdgpu_hs_main:
; HS6: v_cvt_f32_i32_e32 v{{[0-9]+}}, v6
; HS6: _amdgpu_gs_main:
; HS4-LABEL: _amdgpu_hs_main:
; HS4: v_cvt_f32_i32_e32 v{{[0-9]+}}, v4
; GS9-LABEL: _amdgpu_gs_main:
; GS9: v_cvt_f32_i32_e32 v{{[0-9]+}}, v9
; GS5-LABEL: _amdgpu_gs_main:
; GS5: v_cvt_f32_i32_e32 v{{[0-9]+}}, v5
define void @lgc.shader.VS() {
  %in = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 3, i32 1, i32 0, i32 poison)
  %f = sitofp i32 %in to float
  %v = insertelement <4 x float> zeroinitializer, float %f, i32 0
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.TCS() {
  %id = call i32 @lgc.builtin__i32_i32(i32 24)
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 %id)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 512, i32 0, i32 0, i32 %id)
  %q = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 0)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %q, i32 522, i32 0, i32 0, i32 poison)
  %r = extractelement <4 x float> %q, i32 3
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %r, i32 523, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.TES() {
  %c = call <3 x float> @lgc.builtin__v3f32_i32(i32 23)
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 2)
  %x = extractelement <3 x float> %c, i32 2
  %q = insertelement <4 x float> %p, float %x, i32 1
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %q, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.GS() {
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 1)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.emit.vertex__v_i32(i32 0)
  ret void
}
declare void @lgc.emit.vertex__v_i32(i32)
declare <3 x float> @lgc.builtin__v3f32_i32(i32)
declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32)
declare i32 @lgc.builtin__i32_i32(i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__v_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!4}
!4 = !{!"gfx1100"}
!lgc.part = !{!7, !8}
!7 = !{!"relocatable", i1 true}
!8 = !{!"separateVertexFetch", i1 true}
!lgc.graphics = !{!0, !1, !2, !3, !5, !6}
!5 = !{!"geometry.outputVertices", i32 3}
!6 = !{!"geometry.output", !"points"}
!0 = !{!"stages", !"vertex", !"tessControl", !"tessEval", !"geometry", !"fragment"}
!1 = !{!"patchControlPoints", i32 3}
!2 = !{!"tess.domain", !"triangles"}
!3 = !{!"tess.outputVertices", i32 3}

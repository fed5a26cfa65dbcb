; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=obj %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=obj %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=obj %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=obj %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX12 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=obj %s -o - | pal-verify -

; The whole back end with a geometry shader: the evaluation shader is the vertex half of its stage.
; The third coordinate of triangles is (1 - u) - v; vertex 2 of the patch is at byte 32.
; CHECK-LABEL: _amdgpu_hs_main:
; CHECK: s_endpgm
; CHECK-LABEL: _amdgpu_gs_main:
; GFX10: buffer_load_dword{{.*}} s4 offen offset:{{3[2-9]}} glc dlc
; GFX11: buffer_load_b{{.*}} s4 offen offset:{{3[2-9]}} glc
; GFX12: buffer_load_b{{.*}} s{{[0-9]+}} offen offset:{{3[2-9]}} scope:SCOPE_DEV
; CHECK: .gs:
; CHECK: .offchip_lds_en: true
define void @lgc.shader.VS() {
  %id = call i32 @lgc.hw.value__i32_i32(i32 16)
  %f = sitofp i32 %id to float
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
declare i32 @lgc.hw.value__i32_i32(i32)
declare i32 @lgc.builtin__i32_i32(i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__v_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!4}
!4 = !{!"gfx1100"}
!lgc.graphics = !{!0, !1, !2, !3, !5, !6}
!5 = !{!"geometry.outputVertices", i32 3}
!6 = !{!"geometry.output", !"points"}
!0 = !{!"stages", !"vertex", !"tessControl", !"tessEval", !"geometry"}
!1 = !{!"patchControlPoints", i32 3}
!2 = !{!"tess.domain", !"triangles"}
!3 = !{!"tess.outputVertices", i32 3}

; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,LEGACY %s
; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=obj %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,NGG %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=obj %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,NGG %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=obj %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,NGG %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=obj %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,NGG %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=obj %s -o - | pal-verify -

; The whole back end without a geometry shader: evaluation shaders become primitive shaders, on gfx10.1
; the hardware's VS.
; CHECK-LABEL: _amdgpu_hs_main:
; CHECK: s_endpgm
; LEGACY-LABEL: _amdgpu_vs_main:
; LEGACY: buffer_load_dwordx4 {{.*}} s2 offen offset:32 glc dlc
; LEGACY: exp pos0
; NGG-LABEL: _amdgpu_gs_main:
; NGG: buffer_load_{{.*}} s4 offen offset:32
; NGG: pos0
; LEGACY: .vs_stage_en: 0x1
; NGG: .primgen_en: true
; LEGACY: .vs:
; NGG: .gs:
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
declare <3 x float> @lgc.builtin__v3f32_i32(i32)
declare i32 @lgc.hw.value__i32_i32(i32)
declare i32 @lgc.builtin__i32_i32(i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__v_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!4}
!4 = !{!"gfx1100"}
!lgc.graphics = !{!0, !1, !2, !3}
!5 = !{!"geometry.outputVertices", i32 3}
!6 = !{!"geometry.output", !"points"}
!0 = !{!"stages", !"vertex", !"tessControl", !"tessEval"}
!1 = !{!"patchControlPoints", i32 3}
!2 = !{!"tess.domain", !"triangles"}
!3 = !{!"tess.outputVertices", i32 3}

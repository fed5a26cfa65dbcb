; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=CHECK,VS,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=CHECK,NGG9 %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=CHECK,NGG9 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=CHECK,NGG9 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=CHECK,NGG5 %s
; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=obj %s -o %t.elf && pal-verify %t.elf
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=obj %s -o %t.elf && pal-verify %t.elf

; A vertex shader alone, without vertex formats: no loads, no fragment shader. The attributes stand
; behind the 4 VGPRs of the legacy stage, the 5 + 4 of a primitive shader, 3 + 2 on gfx12. Slot 2
; stays attribute 2, and its semantic says so.
; VS-LABEL: _amdgpu_vs_main:
; NGG9-LABEL: _amdgpu_gs_main:
; NGG5-LABEL: _amdgpu_gs_main:
; CHECK-NOT: buffer_load
; VS: exp pos0 v4, v5, v6, v7 done
; GFX10: exp param2 v8, v9, off, off
; NGG9: exp pos0 v9, v10, v11, v12 done
; NGG5: export pos0 v5, v6, v7, v8 done
; CHECK-NOT: _amdgpu_ps_main
; CHECK: .preraster_output_semantic:
; CHECK-NEXT: .index: 0x2
; CHECK-NEXT: .semantic: 0x2
define void @lgc.shader.VS() {
  %a = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  %b = call <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32 4, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %a, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> %b, i32 2, i32 0, i32 0, i32 poison)
  ret void
}
declare <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.graphics = !{!0}
!lgc.part = !{!1, !2}
!0 = !{!"stages", !"vertex"}
!1 = !{!"relocatable", i1 true}
!2 = !{!"separateVertexFetch", i1 true}

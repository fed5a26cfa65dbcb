; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck %s

; Pairs of 16 bits that follow each other are aligned to 4 bytes, as the float makes sure; with a
; stride of 20 every other joint load of 8 bytes would not be aligned. LLVM must leave them alone.
; CHECK-LABEL: _amdgpu_gs_main:
; CHECK-NOT: tbuffer_load_format_xyzw
; CHECK-COUNT-2: tbuffer_load_format_xy v
; GFX10-NOT: s_mov_b32 s{{[0-9]+}}, 8
define void @lgc.shader.VS() {
  %a = call <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  %b = call <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 poison)
  %ab = shufflevector <2 x float> %a, <2 x float> %b, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %ab, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
declare <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.graphics = !{!0}
!lgc.vertex.bindings = !{!1}
!lgc.vertex.attributes = !{!2, !3, !4}
!0 = !{!"stages", !"vertex"}
!1 = !{i32 0, i32 20, i32 0, i32 1}
!2 = !{i32 0, i32 0, i32 8, !"RG16.snorm"}
!3 = !{i32 1, i32 0, i32 12, !"RG16.snorm"}
!4 = !{i32 2, i32 0, i32 0, !"R32.float"}

; RUN: lgc-opt -passes=lgc-lower-tessellation -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s

; The number of control points is bits 16:11 of CompositeData (user data 0x10000023). Patches are as
; many as three output vertices allow, 64. Inputs have 256 records of 5 dwords: a group has no more
; vertices. Outputs that are read back follow, 64 * 3 records of 5.
; CHECK: @lgc.lds.HS = internal addrspace(3) global [2240 x i32] poison
; CHECK-LABEL: define void @lgc.hw.HS()
; Vertex 2 of the patch.
; CHECK: %composite{{.*}} = call i32 @lgc.special.user.data__i32_i32(i32 268435491)
; CHECK: lshr i32 %composite{{.*}}, 11
; CHECK: %patchVertices{{.*}} = and i32 {{%.*}}, 63
; CHECK: [[FIRST:%.*]] = mul nuw i32 %relPatch{{.*}}, %patchVertices
; CHECK: [[VERTEX:%.*]] = add i32 [[FIRST]], 2
; CHECK: mul i32 [[VERTEX]], 5
; CHECK: add i32 {{%.*}}, 1280
; PatchVertices is the same number.
; CHECK: call i32 @lgc.special.user.data__i32_i32(i32 268435491)
define void @lgc.shader.VS() {
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float 1.0, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.TCS() {
  %id = call i32 @lgc.builtin__i32_i32(i32 24)
  %x = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 2)
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %x, i32 0, i32 0, i32 0, i32 %id)
  call void @lgc.control.barrier__v_i32(i32 1)
  %y = call float @lgc.output.load__f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 1)
  %n = call i32 @lgc.builtin__i32_i32(i32 22)
  %f = uitofp i32 %n to float
  %s = fadd float %f, %y
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %s, i32 1, i32 0, i32 0, i32 %id)
  ret void
}
define void @lgc.shader.TES() {
  %a = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 0)
  %b = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 1)
  %s = fadd float %a, %b
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %s, i32 512, i32 0, i32 0, i32 poison)
  ret void
}

; CHECK: attributes {{.*}} = { "amdgpu-flat-work-group-size"="256,256"
; CHECK: !{!".graphics_registers", !".vgt_ls_hs_config", !".num_patches", i64 64}
; CHECK-NOT: hs_num_input_cp
; ASM-NOT: .hs_num_input_cp
; ASM: .hs_num_output_cp: {{(0x)?}}3
; ASM-NOT: .hs_num_input_cp

declare i32 @lgc.builtin__i32_i32(i32)
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare float @lgc.output.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__v_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.control.barrier__v_i32(i32)
!lgc.target = !{!4}
!4 = !{!"gfx1100"}
!lgc.graphics = !{!0, !1, !2, !3}
!0 = !{!"stages", !"vertex", !"tessControl", !"tessEval"}
!1 = !{!"dynamicPatchControlPoints", i32 1}
!2 = !{!"tess.domain", !"triangles"}
!3 = !{!"tess.outputVertices", i32 3}

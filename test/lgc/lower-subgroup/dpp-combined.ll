; RUN: lgc-opt -compile -filetype=asm %s -o - | FileCheck %s
; The moves of a reduction are part of its additions, also in the filtered code generation pipeline.
; CHECK-LABEL: _amdgpu_cs_main:
; CHECK-NOT: v_mov_b32_dpp
; CHECK: v_add_f32_dpp {{.*}} row_xmask:1
; CHECK: v_add_f32_dpp {{.*}} row_xmask:8
; CHECK-NOT: v_mov_b32_dpp
; CHECK: s_endpgm
define void @lgc.shader.CS() {
  %x = load float, ptr addrspace(1) null
  %r = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 1, i32 0, float %x, i32 16)
  store float %r, ptr addrspace(1) null
  ret void
}
declare float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32, i32, float, i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

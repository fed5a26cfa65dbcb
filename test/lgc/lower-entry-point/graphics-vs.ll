; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1010 -verify-each %s -o - | FileCheck %s

; An evaluation shader as hardware vertex stage: the stream-out word comes with off-chip LDS even
; when nothing is streamed out.
; CHECK: define amdgpu_vs void @_amdgpu_vs_main(i32 inreg noundef %GlobalTable, i32 inreg noundef %streamOutInfo, i32 inreg noundef %offChipLdsBase, float noundef %tessCoordX, float noundef %tessCoordY, i32 noundef %tessRelPatchId, i32 noundef %tessPatchId)
; CHECK: .vgt_shader_stages_en\85\AB.dynamic_hs\C3\AC.hs_stage_en\C3\AC.ls_stage_en\C3\B6.max_primgroup_in_wave\02\AC.vs_stage_en\01
; CHECK-SAME: .vs_vgpr_comp_cnt\03
; CHECK-SAME: .vs\85{{.*}}.offchip_lds_en\C3
; CHECK-SAME: .shaders\81\A7.domain
; CHECK-SAME: .type\A4Tess
define void @lgc.hw.VS() {
  %patch = call i32 @lgc.hw.value__i32_i32(i32 23)
  store volatile i32 %patch, ptr addrspace(3) null
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1010"}
!1 = !{!"stages", !"vertex", !"tessControl", !"tessEval", !"fragment"}

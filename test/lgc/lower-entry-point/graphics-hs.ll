; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1030 -verify-each %s -o - | FileCheck %s --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1100 -verify-each %s -o - | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1201 -verify-each %s -o - | FileCheck %s --check-prefixes=CHECK,GFX12

; Vertex and control shader in one stage. The evaluation shader behind them starts with tessellation
; coordinates where a vertex shader has its ids.
; CHECK: define amdgpu_hs void @_amdgpu_hs_main(i32 inreg noundef %unused, i32 inreg noundef %unused1, i32 inreg noundef %offChipLdsBase, i32 inreg noundef %mergedWaveInfo, i32 inreg noundef %tfBufferBase,
; GFX10-SAME: i32 inreg noundef %unused2, i32 inreg noundef %unused3, i32 inreg noundef %unused4, i32 inreg noundef %GlobalTable, i32 noundef %hsPatchId, i32 noundef %hsRelPatchId, i32 noundef %vertexId, i32 noundef %relVertexId, i32 noundef %unused5, i32 noundef %instanceId)
; GFX11-SAME: i32 inreg noundef %waveIdInGroup, i32 inreg noundef %unused2, i32 inreg noundef %unused3, i32 inreg noundef %GlobalTable, i32 noundef %hsPatchId, i32 noundef %hsRelPatchId, i32 noundef %vertexId, i32 noundef %relVertexId, i32 noundef %unused4, i32 noundef %instanceId)
; GFX12-SAME: i32 inreg noundef %waveIdInGroup, i32 inreg noundef %unused2, i32 inreg noundef %unused3, i32 inreg noundef %GlobalTable, i32 noundef %hsPatchId, i32 noundef %hsRelPatchId, i32 noundef %vertexId, i32 noundef %instanceId)
; CHECK: define amdgpu_gs void @_amdgpu_gs_main(
; GFX10-SAME: i32 noundef %gsVertexOffsets45, float noundef %tessCoordX, float noundef %tessCoordY, i32 noundef %tessRelPatchId)
; GFX11-SAME: i32 noundef %gsVertexOffsets45, float noundef %tessCoordX, float noundef %tessCoordY, i32 noundef %tessRelPatchId)
; GFX12-SAME: i32 noundef %gsVertexOffsets23, float noundef %tessCoordX, float noundef %tessCoordY, i32 noundef %tessRelPatchId)

; CHECK: .es_vgpr_comp_cnt\02\B1.gs_vgpr_comp_cnt\00
; GFX10-SAME: .ls_vgpr_comp_cnt\03
; GFX11-SAME: .ls_vgpr_comp_cnt\03
; GFX12-SAME: .ls_vgpr_comp_cnt\01
; GFX10-SAME: .vgt_shader_stages_en\85\AC.es_stage_en\01\AC.hs_stage_en\C3\AC.ls_stage_en\C3\B6.max_primgroup_in_wave\02\AB.primgen_en\C3
; GFX11-SAME: .vgt_shader_stages_en\85\AC.es_stage_en\01\AC.hs_stage_en\C3\AC.ls_stage_en\C3\B6.max_primgroup_in_wave\02\AB.primgen_en\C3
; GFX12-SAME: .vgt_shader_stages_en\83\AC.hs_stage_en\C3\B6.max_primgroup_in_wave\02\AB.primgen_en\C3
; CHECK-SAME: .gs\85{{.*}}.offchip_lds_en\C3
; CHECK-SAME: .domain\82{{.*}}.hardware_mapping\91\A3.gs\A5.hull\82{{.*}}.hardware_mapping\91\A3.hs\A7.vertex\82{{.*}}.hardware_mapping\91\A3.hs
; CHECK-SAME: .type\A7NggTess
define void @lgc.hw.HS() {
  %vertex = call i32 @lgc.hw.value__i32_i32(i32 16)
  %instance = call i32 @lgc.hw.value__i32_i32(i32 18)
  %patch = call i32 @lgc.hw.value__i32_i32(i32 25)
  %base = call i32 @lgc.hw.value__i32_i32(i32 3)
  store volatile i32 %vertex, ptr addrspace(3) null
  store volatile i32 %instance, ptr addrspace(3) null
  store volatile i32 %patch, ptr addrspace(3) null
  store volatile i32 %base, ptr addrspace(3) null
  ret void
}
define void @lgc.hw.GS() {
  %u = call float @lgc.hw.value__f32_i32(i32 20)
  store volatile float %u, ptr addrspace(3) null
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
declare float @lgc.hw.value__f32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"tessControl", !"tessEval", !"fragment"}

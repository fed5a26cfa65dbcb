; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1100 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1150 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1201 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX12

; NGG: eight system SGPRs, user data, VGPRs of the geometry half at fixed places, then those of the
; vertex half as far as somebody reads them. The first instance follows the first vertex.
; CHECK: define amdgpu_gs void @_amdgpu_gs_main(i32 inreg noundef %unused, i32 inreg noundef %unused1, i32 inreg noundef %mergedGroupInfo, i32 inreg noundef %mergedWaveInfo, i32 inreg noundef %offChipLdsBase,
; GFX10-SAME: i32 inreg noundef %unused2, i32 inreg noundef %unused3, i32 inreg noundef %unused4,
; GFX11-SAME: i32 inreg noundef %attribRingBase, i32 inreg noundef %unused2, i32 inreg noundef %unused3,
; GFX12-SAME: i32 inreg noundef %attribRingBase, i32 inreg noundef %unused2, i32 inreg noundef %unused3,
; CHECK-SAME: i32 inreg noundef %GlobalTable, i32 inreg noundef %BaseVertex, i32 inreg noundef %BaseInstance, i32 inreg noundef %VertexBufferTable, i32 inreg noundef %userData3,
; GFX10-SAME: i32 noundef %gsVertexOffsets01, i32 noundef %gsVertexOffsets23, i32 noundef %gsPrimitiveId, i32 noundef %gsInvocationId, i32 noundef %gsVertexOffsets45, i32 noundef %vertexId, i32 noundef %relVertexId, i32 noundef %vsPrimitiveId, i32 noundef %instanceId)
; GFX11-SAME: i32 noundef %gsVertexOffsets01, i32 noundef %gsVertexOffsets23, i32 noundef %gsPrimitiveId, i32 noundef %gsInvocationId, i32 noundef %gsVertexOffsets45, i32 noundef %vertexId, i32 noundef %relVertexId, i32 noundef %vsPrimitiveId, i32 noundef %instanceId)
; GFX12-SAME: i32 noundef %gsVertexOffsets01, i32 noundef %gsPrimitiveId, i32 noundef %gsVertexOffsets23, i32 noundef %vertexId, i32 noundef %instanceId)
; CHECK: store volatile i32 %vertexId
; CHECK: store volatile i32 %instanceId
; CHECK: store volatile i32 %gsPrimitiveId
; CHECK: store volatile i32 %BaseInstance
; CHECK: store volatile i32 %VertexBufferTable

; GFX10: .es_vgpr_comp_cnt\03\B1.gs_vgpr_comp_cnt\02
; GFX11: .es_vgpr_comp_cnt\03\B1.gs_vgpr_comp_cnt\02
; GFX12: .es_vgpr_comp_cnt\01\B1.gs_vgpr_comp_cnt\01
; CHECK-SAME: .ia_multi_vgt_param\81\AF.primgroup_size\7F
; GFX10-SAME: .vgt_shader_stages_en\83\AC.es_stage_en\02\B6.max_primgroup_in_wave\02\AB.primgen_en\C3
; GFX11-SAME: .vgt_shader_stages_en\83\AC.es_stage_en\02\B6.max_primgroup_in_wave\02\AB.primgen_en\C3
; GFX12-SAME: .vgt_shader_stages_en\82\B6.max_primgroup_in_wave\02\AB.primgen_en\C3
; CHECK-SAME: .gs\84\AB.float_mode\CC\C0\B2.user_data_reg_map\95\CE\10\00\00\00\CE\10\00\00\03\CE\10\00\00\04\CE\10\00\00\0F\03\AB.user_sgprs\05
; CHECK-SAME: .shaders\81\A7.vertex\82\B0.api_shader_hash{{.*}}.hardware_mapping\91\A3.gs
; CHECK-SAME: .type\A3Ngg\B0.user_data_limit\04
define void @lgc.hw.GS() {
  %vertex = call i32 @lgc.hw.value__i32_i32(i32 16)
  %instance = call i32 @lgc.hw.value__i32_i32(i32 18)
  %primitive = call i32 @lgc.hw.value__i32_i32(i32 29)
  %base = call i32 @lgc.special.user.data__i32_i32(i32 268435460)
  %table = call i32 @lgc.special.user.data__i32_i32(i32 268435471)
  %data = call i32 @lgc.user.data__i32_i32(i32 3)
  store volatile i32 %vertex, ptr addrspace(3) null
  store volatile i32 %instance, ptr addrspace(3) null
  store volatile i32 %primitive, ptr addrspace(3) null
  store volatile i32 %base, ptr addrspace(3) null
  store volatile i32 %table, ptr addrspace(3) null
  store volatile i32 %data, ptr addrspace(3) null
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
declare i32 @lgc.special.user.data__i32_i32(i32)
declare i32 @lgc.user.data__i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}

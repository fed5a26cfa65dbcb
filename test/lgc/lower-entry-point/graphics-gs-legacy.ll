; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1010 -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1030 -verify-each %s -o - | FileCheck %s

; The legacy geometry stage writes a ring from s2 on, its copy shader is a vertex stage that reads
; it. Both belong to the API's geometry shader.
; CHECK: define amdgpu_gs void @_amdgpu_gs_main(i32 inreg noundef %unused, i32 inreg noundef %unused1, i32 inreg noundef %gsVsOffset, i32 inreg noundef %mergedWaveInfo, i32 inreg noundef %offChipLdsBase,
; CHECK-SAME: i32 inreg noundef %GlobalTable, i32 noundef %gsVertexOffsets01, i32 noundef %gsVertexOffsets23, i32 noundef %gsPrimitiveId, i32 noundef %gsInvocationId, i32 noundef %gsVertexOffsets45, i32 noundef %vertexId)
; CHECK: [[GLOBAL:%.*]] = inttoptr i64 {{%.*}} to ptr addrspace(4)
; CHECK: [[TABLE:%.*]] = getelementptr i8, ptr addrspace(4) [[GLOBAL]], i32 64
; CHECK: [[DESC:%.*]] = load <4 x i32>, ptr addrspace(4) [[TABLE]], align 16, !invariant.load
; CHECK: store volatile <4 x i32> [[DESC]]
; CHECK: store volatile i32 %gsVsOffset
; CHECK: store volatile i32 %gsInvocationId

; CHECK: define amdgpu_vs void @_amdgpu_vs_main(i32 inreg noundef %GlobalTable, i32 inreg noundef %StreamOutTable, i32 inreg noundef %streamOutInfo, i32 inreg noundef %streamOutWriteIndex, i32 inreg noundef %streamOutOffset1, i32 noundef %vertexId)

; CHECK: .es_vgpr_comp_cnt\00\B1.gs_vgpr_comp_cnt\03
; CHECK-SAME: .vgt_shader_stages_en\84\AC.es_stage_en\02\AC.gs_stage_en\C3\B6.max_primgroup_in_wave\02\AC.vs_stage_en\02
; CHECK-SAME: .vs_so_base0_en\C2\AF.vs_so_base1_en\C3\AF.vs_so_base2_en\C2\AF.vs_so_base3_en\C2\B0.vs_streamout_en\C3\B1.vs_vgpr_comp_cnt\00
; CHECK-SAME: .geometry\82{{.*}}.hardware_mapping\92\A3.gs\A3.vs
; CHECK-SAME: .vertex\82{{.*}}.hardware_mapping\91\A3.gs
; CHECK-SAME: .type\A2Gs
define void @lgc.hw.GS() {
  %ring = call <4 x i32> @lgc.driver.table__v4i32_i32(i32 16)
  %offset = call i32 @lgc.hw.value__i32_i32(i32 5)
  %invocation = call i32 @lgc.hw.value__i32_i32(i32 30)
  store volatile <4 x i32> %ring, ptr addrspace(3) null
  store volatile i32 %offset, ptr addrspace(3) null
  store volatile i32 %invocation, ptr addrspace(3) null
  ret void
}
define void @lgc.hw.VS() {
  %info = call i32 @lgc.hw.value__i32_i32(i32 7)
  %offset = call i32 @lgc.hw.value__i32_i32(i32 10)
  %vertex = call i32 @lgc.hw.value__i32_i32(i32 16)
  %table = call i32 @lgc.special.user.data__i32_i32(i32 268435468)
  store volatile i32 %info, ptr addrspace(3) null
  store volatile i32 %offset, ptr addrspace(3) null
  store volatile i32 %vertex, ptr addrspace(3) null
  store volatile i32 %table, ptr addrspace(3) null
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
declare i32 @lgc.special.user.data__i32_i32(i32)
declare <4 x i32> @lgc.driver.table__v4i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"geometry", !"fragment"}

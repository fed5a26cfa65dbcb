; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1030 -verify-each %s -o - | FileCheck %s --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1201 -verify-each %s -o - | FileCheck %s --check-prefixes=CHECK,GFX12

; A task shader is a compute stage of a graphics pipeline: its counts of workgroups are in registers.
; CHECK: define amdgpu_cs void @_amdgpu_cs_main(i32 inreg noundef %GlobalTable, i32 inreg noundef %DrawIndex, i32 inreg noundef %MeshTaskDispatchDims, i32 inreg noundef %unused, i32 inreg noundef %unused1, i32 inreg noundef %MeshTaskRingIndex,
; GFX10-SAME: i32 inreg noundef %workgroupIdX, i32 noundef range(i32 0, 64) %localIdX)
; GFX12-SAME: i32 noundef %localId)
; CHECK: [[A:%.*]] = insertelement <3 x i32> poison, i32 %MeshTaskDispatchDims, i64 0
; CHECK: [[B:%.*]] = insertelement <3 x i32> [[A]], i32 %unused, i64 1
; CHECK: [[C:%.*]] = insertelement <3 x i32> [[B]], i32 %unused1, i64 2
; CHECK: store volatile <3 x i32> [[C]]
; CHECK: .compute_registers
; CHECK-SAME: .user_data_reg_map\96\CE\10\00\00\00\CE\10\00\00\05\CE\10\00\00\12\CE\FF\FF\FF\FF\CE\FF\FF\FF\FF\CE\10\00\00\13
; CHECK-SAME: .task\82{{.*}}.hardware_mapping\91\A3.cs
; CHECK-SAME: .type\A8TaskMesh
define void @lgc.shader.CS() {
  %counts = call <3 x i32> @lgc.builtin__v3i32_i32(i32 1)
  %group = call <3 x i32> @lgc.builtin__v3i32_i32(i32 0)
  %x = extractelement <3 x i32> %group, i32 0
  %local = call <3 x i32> @lgc.builtin__v3i32_i32(i32 15)
  %lx = extractelement <3 x i32> %local, i32 0
  %draw = call i32 @lgc.special.user.data__i32_i32(i32 268435461)
  %ring = call i32 @lgc.special.user.data__i32_i32(i32 268435475)
  store volatile <3 x i32> %counts, ptr addrspace(3) null
  store volatile i32 %x, ptr addrspace(3) null
  store volatile i32 %lx, ptr addrspace(3) null
  store volatile i32 %draw, ptr addrspace(3) null
  store volatile i32 %ring, ptr addrspace(3) null
  ret void
}
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
declare i32 @lgc.special.user.data__i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.shader.task = !{!2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"task", !"mesh", !"fragment"}
!2 = !{!"workgroupSize", i32 64, i32 1, i32 1}

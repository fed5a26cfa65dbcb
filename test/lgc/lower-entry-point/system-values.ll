; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-entry-point %s -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-entry-point %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1200 -passes=lgc-lower-entry-point %s -o - | FileCheck --check-prefixes=CHECK,GFX12 %s

; Only the workgroup ids that are read get SGPRs; local ids up to the last one that is read. The
; pointer to the group counts takes two SGPRs behind the global table.
; GFX10: define amdgpu_cs void @_amdgpu_cs_main(i32 inreg noundef %GlobalTable, i32 inreg noundef %Workgroup, i32 inreg noundef %unused, i32 inreg noundef %workgroupIdX, i32 inreg noundef %workgroupIdZ, i32 noundef range(i32 0, 8) %localIdX, i32 noundef range(i32 0, 4) %localIdY)
; GFX11: define amdgpu_cs void @_amdgpu_cs_main(i32 inreg noundef %GlobalTable, i32 inreg noundef %Workgroup, i32 inreg noundef %unused, i32 inreg noundef %workgroupIdX, i32 inreg noundef %workgroupIdZ, i32 noundef %localId)
; GFX12: define amdgpu_cs void @_amdgpu_cs_main(i32 inreg noundef %GlobalTable, i32 inreg noundef %Workgroup, i32 inreg noundef %unused, i32 noundef %localId)
; CHECK: [[LOW:%.*]] = insertelement <2 x i32> poison, i32 %Workgroup, i64 0
; CHECK: [[PAIR:%.*]] = insertelement <2 x i32> [[LOW]], i32 %unused, i64 1
; CHECK: [[ADDRESS:%.*]] = bitcast <2 x i32> [[PAIR]] to i64
; CHECK: [[POINTER:%.*]] = inttoptr i64 [[ADDRESS]] to ptr addrspace(4)
; CHECK: [[COUNTS:%.*]] = load <3 x i32>, ptr addrspace(4) [[POINTER]], align 4, !invariant.load
; GFX12-DAG: [[X:%.*]] = call i32 @llvm.amdgcn.workgroup.id.x()
; GFX12-DAG: [[Z:%.*]] = call i32 @llvm.amdgcn.workgroup.id.z()
; GFX11: [[SHIFTED:%.*]] = lshr i32 %localId, 10
; GFX11: [[Y:%.*]] = and i32 [[SHIFTED]], 1023
; CHECK: store volatile <3 x i32> [[COUNTS]]
; GFX10: store volatile i32 %workgroupIdX
; GFX10: store volatile i32 %workgroupIdZ
; GFX10: store volatile i32 %localIdY
; GFX11: store volatile i32 %workgroupIdZ
; GFX11: store volatile i32 [[Y]]
; GFX12: store volatile i32 [[X]]
; GFX12: store volatile i32 [[Z]]
; CHECK-NOT: lgc.builtin
define void @lgc.shader.CS() {
  %wg = call <3 x i32> @lgc.builtin__v3i32_i32(i32 0)
  %counts = call <3 x i32> @lgc.builtin__v3i32_i32(i32 1)
  %local = call <3 x i32> @lgc.builtin__v3i32_i32(i32 15)
  %x = extractelement <3 x i32> %wg, i32 0
  %z = extractelement <3 x i32> %wg, i32 2
  %y = extractelement <3 x i32> %local, i32 1
  store volatile <3 x i32> %counts, ptr addrspace(1) null
  store volatile i32 %x, ptr addrspace(1) null
  store volatile i32 %z, ptr addrspace(1) null
  store volatile i32 %y, ptr addrspace(1) null
  ret void
}
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"workgroupSize", i32 8, i32 4, i32 2}

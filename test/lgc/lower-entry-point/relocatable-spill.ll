; RUN: lgc-opt -passes=lgc-lower-entry-point -verify-each %s -o - | FileCheck %s

; What stays in registers is numbered as in the part's own layout; spilled dwords are found where
; linking says that the first one of their node is.
; CHECK: define amdgpu_cs void @_amdgpu_cs_main(i32 inreg noundef %GlobalTable, i32 inreg noundef %userData0,
; CHECK-SAME: %userData12, i32 inreg noundef %userData19, i32 inreg noundef %SpillTable, i32 noundef %localId)
; CHECK: [[TABLE:%.*]] = inttoptr i64 {{.*}} to ptr addrspace(4)
; CHECK: [[R:%.*]] = call range(i32 0, -2147483648) i32 @llvm.amdgcn.reloc.constant(metadata [[NAME:![0-9]+]])
; CHECK: [[W:%.*]] = zext i32 [[R]] to i64
; CHECK: [[NODE:%.*]] = getelementptr inbounds i8, ptr addrspace(4) [[TABLE]], i64 [[W]]
; CHECK: [[P13:%.*]] = getelementptr i8, ptr addrspace(4) [[NODE]], i32 0
; CHECK: load i32, ptr addrspace(4) [[P13]], align 4, !invariant.load
; CHECK: [[P14:%.*]] = getelementptr i8, ptr addrspace(4) [[NODE]], i32 4
; CHECK: load <4 x i32>, ptr addrspace(4) [[P14]], align 4, !invariant.load
; CHECK: [[NAME]] = !{!"kiln.root.13"}
define void @lgc.shader.CS() {
  %a = call <14 x i32> @lgc.user.data__v14i32_i32(i32 0)
  %b = call <4 x i32> @lgc.user.data__v4i32_i32(i32 14)
  %c = call <2 x i32> @lgc.user.data__v2i32_i32(i32 18)
  store volatile <14 x i32> %a, ptr addrspace(1) null
  store volatile <4 x i32> %b, ptr addrspace(1) null
  store volatile <2 x i32> %c, ptr addrspace(1) null
  ret void
}
declare <14 x i32> @lgc.user.data__v14i32_i32(i32)
declare <4 x i32> @lgc.user.data__v4i32_i32(i32)
declare <2 x i32> @lgc.user.data__v2i32_i32(i32)
!lgc.target = !{!0}
!lgc.part = !{!4}
!lgc.user.data = !{!1, !2, !3}
!0 = !{!"gfx1100"}
!1 = !{!"PushConst", i32 18, i32 1, i32 0, i32 0, i32 0}
!2 = !{!"DescriptorTableVaPtr", i32 1, i32 19, i32 0, i32 0, i32 0}
!3 = !{!"DescriptorTableVaPtr", i32 1, i32 0, i32 1, i32 0, i32 0}
!4 = !{!"relocatable", i32 1}

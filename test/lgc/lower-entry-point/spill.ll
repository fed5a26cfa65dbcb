; RUN: lgc-opt -passes=lgc-lower-entry-point %s -o - | FileCheck %s

; 16 registers: global table, spill table, 14 of 20 API dwords. The set pointer (19) keeps its
; register though it comes last; the rest is filled in ascending order, 13 to 18 are loaded.
; CHECK: define amdgpu_cs void @_amdgpu_cs_main(i32 inreg noundef %GlobalTable, i32 inreg noundef %userData0,
; CHECK-SAME: %userData12, i32 inreg noundef %userData19, i32 inreg noundef %SpillTable, i32 noundef %localId)
; CHECK: [[PC:%.*]] = call i64 @llvm.amdgcn.s.getpc()
; CHECK: [[HALVES:%.*]] = bitcast i64 [[PC]] to <2 x i32>
; CHECK: [[PAIR:%.*]] = insertelement <2 x i32> [[HALVES]], i32 %SpillTable, i64 0
; CHECK: [[ADDRESS:%.*]] = bitcast <2 x i32> [[PAIR]] to i64
; CHECK: [[TABLE:%.*]] = inttoptr i64 [[ADDRESS]] to ptr addrspace(4)
; CHECK: [[P13:%.*]] = getelementptr i8, ptr addrspace(4) [[TABLE]], i32 52
; CHECK: load i32, ptr addrspace(4) [[P13]], align 4, !invariant.load
; CHECK: [[P14:%.*]] = getelementptr i8, ptr addrspace(4) [[TABLE]], i32 56
; CHECK: load <4 x i32>, ptr addrspace(4) [[P14]], align 4, !invariant.load
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
!lgc.user.data = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"PushConst", i32 19, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"DescriptorTableVaPtr", i32 1, i32 19, i32 0, i32 0, i32 0}

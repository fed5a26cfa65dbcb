; RUN: lgc-opt -passes=lgc-lower-entry-point %s -o - | FileCheck %s

; Contiguous registers for the API dwords that are read, in ascending order. What nobody reads
; (%dead) costs nothing.
; CHECK: define amdgpu_cs void @_amdgpu_cs_main(i32 inreg noundef %GlobalTable, i32 inreg noundef %userData1, i32 inreg noundef %userData4, i32 inreg noundef %userData5, i32 noundef %localId)
; CHECK: [[A:%.*]] = insertelement <2 x i32> poison, i32 %userData4, i64 0
; CHECK: [[B:%.*]] = insertelement <2 x i32> [[A]], i32 %userData5, i64 1
; CHECK: store volatile i32 %userData1
; CHECK: store volatile <2 x i32> [[B]]
; CHECK-NOT: lgc.user.data
define void @lgc.shader.CS() {
  %one = call i32 @lgc.user.data__i32_i32(i32 1)
  %pair = call <2 x i32> @lgc.user.data__v2i32_i32(i32 4)
  %dead = call i32 @lgc.user.data__i32_i32(i32 40)
  store volatile i32 %one, ptr addrspace(1) null
  store volatile <2 x i32> %pair, ptr addrspace(1) null
  ret void
}
declare i32 @lgc.user.data__i32_i32(i32)
declare <2 x i32> @lgc.user.data__v2i32_i32(i32)
!lgc.target = !{!0}
!0 = !{!"gfx1201"}

; RUN: lgc-opt -passes=lgc-lower-builtins,early-cse -verify-each %s -o - | FileCheck %s

; Only WorkgroupId (0) and the hardware's local id (16) remain; a dimension of size 1 has id 0.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK-DAG: [[WG:%.*]] = call <3 x i32> @lgc.builtin__v3i32_i32(i32 0)
; CHECK-DAG: [[LOCAL:%.*]] = call range(i32 0, 8) <3 x i32> @lgc.builtin__v3i32_i32(i32 15)
; CHECK-DAG: [[WX:%.*]] = extractelement <3 x i32> [[WG]], i64 0
; CHECK-DAG: [[LX:%.*]] = extractelement <3 x i32> [[LOCAL]], i64 0
; CHECK-DAG: [[MX:%.*]] = mul i32 [[WX]], 8
; CHECK-DAG: [[GX:%.*]] = add i32 [[MX]], [[LX]]
; CHECK-DAG: [[LY:%.*]] = extractelement <3 x i32> [[LOCAL]], i64 1
; CHECK-DAG: [[ROW:%.*]] = mul nuw nsw i32 [[LY]], 8
; CHECK-DAG: [[INDEX:%.*]] = add nuw nsw i32 [[LX]], [[ROW]]
; CHECK: store volatile i32 [[GX]]
; CHECK: store volatile i32 [[INDEX]]
; CHECK: store volatile i32 0,
define void @lgc.shader.CS() {
  %global = call <3 x i32> @lgc.builtin__v3i32_i32(i32 4)
  %gx = extractelement <3 x i32> %global, i32 0
  store volatile i32 %gx, ptr addrspace(1) null
  %index = call i32 @lgc.builtin__i32_i32(i32 3)
  store volatile i32 %index, ptr addrspace(1) null
  %local = call <3 x i32> @lgc.builtin__v3i32_i32(i32 2)
  %lz = extractelement <3 x i32> %local, i32 2
  store volatile i32 %lz, ptr addrspace(1) null
  ret void
}
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
declare i32 @lgc.builtin__i32_i32(i32)
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"workgroupSize", i32 8, i32 8, i32 1}

; RUN: lgc-opt -passes='lgc-lower-builtins,early-cse' -verify-each %s -o - | FileCheck %s

; Quad derivatives: lanes 4q..4q+3 are the quad (q mod 4, q div 4) of an 8 x 4 workgroup.
; CHECK: [[HW:%.*]] = call range(i32 0, 8) <3 x i32> @lgc.builtin__v3i32_i32(i32 15)
; CHECK: [[X:%.*]] = extractelement <3 x i32> [[HW]], i64 0
; CHECK: [[Y:%.*]] = extractelement <3 x i32> [[HW]], i64 1
; CHECK: [[ROW:%.*]] = mul i32 [[Y]], 8
; CHECK: [[FLAT:%.*]] = add i32 [[X]], [[ROW]]
; CHECK: [[QUAD:%.*]] = lshr i32 [[FLAT]], 2
; CHECK: [[QY:%.*]] = udiv i32 [[QUAD]], 4
; CHECK: [[QYW:%.*]] = mul i32 [[QY]], 4
; CHECK: [[QX:%.*]] = sub i32 [[QUAD]], [[QYW]]
; CHECK: [[QX2:%.*]] = shl i32 [[QX]], 1
; CHECK: [[INX:%.*]] = and i32 [[FLAT]], 1
; CHECK: [[LX:%.*]] = or i32 [[QX2]], [[INX]]
; CHECK: [[QY2:%.*]] = shl i32 [[QY]], 1
; CHECK: [[HALF:%.*]] = lshr i32 [[FLAT]], 1
; CHECK: [[INY:%.*]] = and i32 [[HALF]], 1
; CHECK: [[LY:%.*]] = or i32 [[QY2]], [[INY]]
; CHECK: store volatile i32 [[LX]]
; CHECK: store volatile i32 [[LY]]
define void @lgc.shader.CS() {
  %local = call <3 x i32> @lgc.builtin__v3i32_i32(i32 2)
  %x = extractelement <3 x i32> %local, i32 0
  store volatile i32 %x, ptr addrspace(1) null
  %y = extractelement <3 x i32> %local, i32 1
  store volatile i32 %y, ptr addrspace(1) null
  ret void
}
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
!lgc.target = !{!0}
!lgc.compute = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"workgroupSize", i32 8, i32 4, i32 1}
!2 = !{!"derivatives", !"quads"}

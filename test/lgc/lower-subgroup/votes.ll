; RUN: lgc-opt -passes=lgc-lower-subgroup -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=obj -verify-each %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=obj -verify-each %s -o - | pal-verify -

; CHECK: [[NOT:%.*]] = xor i1 %c, true
; CHECK: [[MASK:%.*]] = call i64 @llvm.amdgcn.ballot.i64(i1 [[NOT]])
; CHECK: icmp eq i64 [[MASK]], 0
; CHECK: [[ANY:%.*]] = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
; CHECK: icmp ne i64 [[ANY]], 0
; CHECK: call i64 @llvm.amdgcn.ballot.i64(i1 %c)
; CHECK: call i32 @llvm.amdgcn.readfirstlane.i32(
; CHECK: call i64 @llvm.amdgcn.s.wqm.i64
; Of a vote that nobody gives nothing is left.
; CHECK-NOT: ballot.i64(i1 false)
; CHECK: store volatile i1 false, ptr addrspace(3) null
; CHECK-NOT: lgc.subgroup
define void @lgc.shader.CS() {
  %v = load volatile i32, ptr addrspace(1) null
  %f = load volatile float, ptr addrspace(1) null
  %c = icmp eq i32 %v, 0
  %all = call i1 @lgc.subgroup.all__i1_i1(i1 %c)
  %any = call i1 @lgc.subgroup.any__i1_i1(i1 %c)
  %ballot = call <4 x i32> @lgc.subgroup.ballot__v4i32_i1(i1 %c)
  %first = call float @lgc.subgroup.broadcast.first__f32_f32(float %f)
  %quad = call i1 @lgc.subgroup.quad.any__i1_i1(i1 %c)
  %x = and i1 %all, %any
  %y = xor i1 %x, %quad
  store volatile i1 %y, ptr addrspace(1) null
  store volatile <4 x i32> %ballot, ptr addrspace(1) null
  store volatile float %first, ptr addrspace(1) null
  %none = call i1 @lgc.subgroup.any__i1_i1(i1 false)
  store volatile i1 %none, ptr addrspace(3) null
  ret void
}
declare i1 @lgc.subgroup.all__i1_i1(i1)
declare i1 @lgc.subgroup.any__i1_i1(i1)
declare i1 @lgc.subgroup.quad.any__i1_i1(i1)
declare <4 x i32> @lgc.subgroup.ballot__v4i32_i1(i1)
declare float @lgc.subgroup.broadcast.first__f32_f32(float)
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"workgroupSize", i32 64, i32 1, i32 1}

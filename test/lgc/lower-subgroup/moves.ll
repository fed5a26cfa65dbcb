; RUN: lgc-opt -passes=lgc-lower-subgroup -verify-each %s -o - | FileCheck %s
; Votes are ballots; lane moves of fixed pattern are one DPP or permute.

; CHECK-LABEL: define i1 @all(
; CHECK-NEXT: [[NOT:%.*]] = xor i1 %c, true
; CHECK-NEXT: [[MASK:%.*]] = call i64 @llvm.amdgcn.ballot.i64(i1 [[NOT]])
; CHECK-NEXT: [[R:%.*]] = icmp eq i64 [[MASK]], 0
; CHECK-NEXT: ret i1 [[R]]
define i1 @all(i1 %c) {
  %r = call i1 @lgc.subgroup.all__i1_i1(i1 %c)
  ret i1 %r
}

; CHECK-LABEL: define i1 @quad.any(
; CHECK: [[QUADS:%.*]] = call i64 @llvm.amdgcn.s.wqm
; CHECK-NEXT: call i1 @llvm.amdgcn.inverse.ballot.i64(i64 [[QUADS]])
define i1 @quad.any(i1 %c) {
  %r = call i1 @lgc.subgroup.quad.any__i1_i1(i1 %c)
  ret i1 %r
}

; 0x165 = row_xmask:5
; CHECK-LABEL: define i32 @xor5(
; CHECK-NEXT: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %x, i32 357, i32 15, i32 15, i1 true)
; CHECK-NEXT: ret
define i32 @xor5(i32 %x) {
  %r = call i32 @lgc.subgroup.shuffle.xor__i32_i32_i32(i32 %x, i32 5)
  ret i32 %r
}

; CHECK-LABEL: define float @xor16(
; CHECK: call i32 @llvm.amdgcn.permlanex16.i32(i32 poison, i32 {{%.*}}, i32 1985229328, i32 -19088744, i1 false, i1 true)
define float @xor16(float %x) {
  %r = call float @lgc.subgroup.shuffle.xor__f32_f32_i32(float %x, i32 16)
  ret float %r
}

; Lanes of the other half come through whole wave mode.
; CHECK-LABEL: define i32 @shuffle(
; CHECK: [[NEAR:%.*]] = call i32 @llvm.amdgcn.ds.bpermute(i32 [[ADDRESS:%.*]], i32 %x)
; CHECK: [[ALL:%.*]] = call i32 @llvm.amdgcn.set.inactive.i32(i32 %x, i32 0)
; CHECK: [[SWAPPED:%.*]] = call i32 @llvm.amdgcn.permlane64.i32(i32 [[ALL]])
; CHECK: call i32 @llvm.amdgcn.strict.wwm.i32
; CHECK: select i1 {{%.*}}, i32 {{%.*}}, i32 [[NEAR]]
define i32 @shuffle(i32 %x, i32 %lane) {
  %r = call i32 @lgc.subgroup.shuffle__i32_i32_i32(i32 %x, i32 %lane)
  ret i32 %r
}

declare i1 @lgc.subgroup.all__i1_i1(i1)
declare i1 @lgc.subgroup.quad.any__i1_i1(i1)
declare i32 @lgc.subgroup.shuffle.xor__i32_i32_i32(i32, i32)
declare float @lgc.subgroup.shuffle.xor__f32_f32_i32(float, i32)
declare i32 @lgc.subgroup.shuffle__i32_i32_i32(i32, i32)
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"waveSize", i32 64}

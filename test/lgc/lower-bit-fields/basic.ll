; RUN: lgc-opt -passes=lgc-lower-bit-fields -verify-each %s -o - | FileCheck %s

; CHECK-LABEL: @unsigned(
; CHECK-NOT: ubfe
; CHECK: [[A:%.*]] = and i32 %x, 255
; CHECK: [[S:%.*]] = lshr i32 %x, 20
; CHECK: [[B:%.*]] = and i32 [[S]], 32767
; CHECK: add i32 [[A]], [[B]]
define i32 @unsigned(i32 %x) {
  %a = call i32 @llvm.amdgcn.ubfe.i32(i32 %x, i32 0, i32 8)
  %b = call i32 @llvm.amdgcn.ubfe.i32(i32 %x, i32 52, i32 15)
  %s = add i32 %a, %b
  ret i32 %s
}

; The second reaches beyond the operand.
; CHECK-LABEL: @signed(
; CHECK-NOT: sbfe
; CHECK: [[S:%.*]] = shl i32 %x, 20
; CHECK: [[A:%.*]] = ashr i32 [[S]], 24
; CHECK: [[B:%.*]] = ashr i32 %x, 28
; CHECK: add i32 [[A]], [[B]]
define i32 @signed(i32 %x) {
  %a = call i32 @llvm.amdgcn.sbfe.i32(i32 %x, i32 4, i32 40)
  %b = call i32 @llvm.amdgcn.sbfe.i32(i32 %x, i32 28, i32 9)
  %s = add i32 %a, %b
  ret i32 %s
}

; CHECK-LABEL: @others(
; CHECK: call i32 @llvm.amdgcn.ubfe.i32(i32 %x, i32 %y, i32 8)
; CHECK: call i32 @llvm.amdgcn.sbfe.i32(i32 %x, i32 %y, i32 2)
; CHECK-NOT: bfe.i32(i32 %x
; CHECK: ret i32
define i32 @others(i32 %x, i32 %y) {
  %f = call i32 @llvm.amdgcn.ubfe.i32(i32 %x, i32 %y, i32 8)
  %none = call i32 @llvm.amdgcn.sbfe.i32(i32 %x, i32 3, i32 32)
  %g = call i32 @llvm.amdgcn.sbfe.i32(i32 %x, i32 %y, i32 34)
  %no = call i32 @llvm.amdgcn.ubfe.i32(i32 %x, i32 %y, i32 64)
  %t = add i32 %f, %g
  %u = add i32 %t, %no
  %s = add i32 %u, %none
  ret i32 %s
}

; RUN: lgc-opt -passes=lgc-lower-ballots -verify-each %s -o - | FileCheck %s

; One comparison.
; CHECK-LABEL: @direct(
; CHECK: [[UNE:%.*]] = fcmp une float %x, %y
; CHECK: [[A:%.*]] = call i32 @llvm.amdgcn.ballot.i32(i1 [[UNE]])
; CHECK: [[ORD:%.*]] = fcmp ord float %x, %y
; CHECK: [[B:%.*]] = call i32 @llvm.amdgcn.ballot.i32(i1 [[ORD]])
; CHECK: [[R:%.*]] = and i32 [[A]], [[B]]
; CHECK: ret i32 [[R]]
define i32 @direct(float %x, float %y) {
  %c = fcmp one float %x, %y
  %b = call i32 @llvm.amdgcn.ballot.i32(i1 %c)
  ret i32 %b
}

; What code generation would make one comparison of.
; CHECK-LABEL: @less_or_greater(
; CHECK-COUNT-2: call i64 @llvm.amdgcn.ballot.i64(
define i64 @less_or_greater(half %x, half %y) {
  %less = fcmp olt half %x, %y
  %greater = fcmp olt half %y, %x
  %c = select i1 %less, i1 true, i1 %greater
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
  ret i64 %b
}

; CHECK-LABEL: @by_number(
; CHECK-COUNT-2: call i32 @llvm.amdgcn.ballot.i32(
define i32 @by_number(double %x, double %y) {
  %equal = fcmp ueq double %x, %y
  %number = select i1 %equal, i32 5, i32 7
  %kept = freeze i32 %number
  %c = icmp ugt i32 %kept, 5
  %b = call i32 @llvm.amdgcn.ballot.i32(i1 %c)
  ret i32 %b
}

; Everything else stays as it is.
; CHECK-LABEL: @others(
; CHECK: call i32 @llvm.amdgcn.ballot.i32(i1 %c)
; CHECK-NEXT: call i32 @llvm.amdgcn.ballot.i32(i1 %d)
; CHECK-NEXT: call i32 @llvm.amdgcn.ballot.i32(i1 %e)
; CHECK-NEXT: call i32 @llvm.amdgcn.ballot.i32(i1 %f)
; CHECK-NEXT: call i32 @llvm.amdgcn.ballot.i32(i1 true)
; CHECK-NOT: call i32
; CHECK: ret i32
define i32 @others(float %x, float %y, float %z, i1 %i) {
  %c = fcmp une float %x, %y
  %d = fcmp ord float %x, %y
  %less = fcmp olt float %x, %y
  %other = fcmp olt float %z, %x
  %e = or i1 %less, %other
  %one = fcmp one float %x, %y
  %f = and i1 %one, %i
  %rc = call i32 @llvm.amdgcn.ballot.i32(i1 %c)
  %rd = call i32 @llvm.amdgcn.ballot.i32(i1 %d)
  %re = call i32 @llvm.amdgcn.ballot.i32(i1 %e)
  %rf = call i32 @llvm.amdgcn.ballot.i32(i1 %f)
  %rt = call i32 @llvm.amdgcn.ballot.i32(i1 true)
  %s0 = add i32 %rc, %rd
  %s1 = add i32 %re, %rf
  %s2 = add i32 %s0, %s1
  %s3 = add i32 %s2, %rt
  ret i32 %s3
}

; Tests of either operand for NaN count, too.
; CHECK-LABEL: @numbers(
; CHECK-COUNT-2: call i32 @llvm.amdgcn.ballot.i32(
define i32 @numbers(float %x, float %y) {
  %number = fcmp ord float %x, 0.0
  %other = fcmp uno float %y, %y
  %differ = fcmp une float %x, %y
  %both = select i1 %other, i1 false, i1 %number
  %c = and i1 %both, %differ
  %b = call i32 @llvm.amdgcn.ballot.i32(i1 %c)
  ret i32 %b
}

; One of them alone is no relation of both.
; CHECK-LABEL: @one_number(
; CHECK: [[B:%.*]] = call i32 @llvm.amdgcn.ballot.i32(i1 %c)
; CHECK-NEXT: ret i32 [[B]]
define i32 @one_number(float %x, float %y) {
  %number = fcmp ord float %x, 0.0
  %differ = fcmp une float %x, %y
  %c = and i1 %number, %differ
  %b = call i32 @llvm.amdgcn.ballot.i32(i1 %c)
  ret i32 %b
}

; Whatever is compared with NaN is unordered.
; CHECK-LABEL: @with_nan(
; CHECK: [[B:%.*]] = call i32 @llvm.amdgcn.ballot.i32(i1 %c)
; CHECK-NEXT: ret i32 [[B]]
define i32 @with_nan(float %x) {
  %c = fcmp une float %x, 0x7FF8000000000000
  %b = call i32 @llvm.amdgcn.ballot.i32(i1 %c)
  ret i32 %b
}

; RUN: lgc-opt -passes=lgc-lower-carries %s -o - | FileCheck %s

; The carry of adding a carry: no operation that makes one remains.
; CHECK-LABEL: @add(
; CHECK: [[BIT:%.*]] = zext i1 %c to i32
; CHECK: [[SUM:%.*]] = add i32 %x, [[BIT]]
; CHECK: [[ZERO:%.*]] = icmp eq i32 [[SUM]], 0
; CHECK: and i1 [[ZERO]], %c
; CHECK-NOT: with.overflow
define {i32, i1} @add(i32 %x, i1 %c) {
  %bit = zext i1 %c to i32
  %pair = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %bit, i32 %x)
  ret {i32, i1} %pair
}

; CHECK-LABEL: @sub(
; CHECK: sub i64 %x, %bit
; CHECK: [[ZERO:%.*]] = icmp eq i64 %x, 0
; CHECK: and i1 [[ZERO]], %c
define {i64, i1} @sub(i64 %x, i1 %c) {
  %bit = zext i1 %c to i64
  %pair = call {i64, i1} @llvm.usub.with.overflow.i64(i64 %x, i64 %bit)
  ret {i64, i1} %pair
}

; CHECK-LABEL: @compare(
; CHECK: [[SUM:%.*]] = add i32
; CHECK: [[ZERO:%.*]] = icmp eq i32 [[SUM]], 0
; CHECK: and i1 [[ZERO]], %c
define i1 @compare(i32 %x, i1 %c) {
  %bit = zext i1 %c to i32
  %sum = add i32 %x, %bit
  %less = icmp ult i32 %sum, %x
  ret i1 %less
}

; CHECK-LABEL: @compareNot(
; CHECK: [[NONE:%.*]] = icmp eq i32 %not, 0
; CHECK: and i1 [[NONE]], %c
define i1 @compareNot(i32 %x, i1 %c) {
  %bit = zext i1 %c to i32
  %not = xor i32 %x, -1
  %less = icmp ult i32 %not, %bit
  ret i1 %less
}

; Other additions keep their carry.
; CHECK-LABEL: @plain(
; CHECK: call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %x, i32 %y)
define {i32, i1} @plain(i32 %x, i32 %y) {
  %pair = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %x, i32 %y)
  ret {i32, i1} %pair
}

; CHECK-LABEL: @inverted_bit(
; CHECK: [[O:%.*]] = icmp eq i32 %s, -1
; CHECK: [[R:%.*]] = and i1 [[O]], %c
; CHECK: ret i1 [[R]]
define i1 @inverted_bit(i32 %s, i1 %c) {
  %bit = zext i1 %c to i32
  %not = xor i32 %bit, -1
  %r = icmp ugt i32 %s, %not
  ret i1 %r
}

; CHECK-LABEL: @other_bits(
; CHECK-NOT: uadd.with.overflow
; CHECK: [[T:%.*]] = trunc i32 %m to i1
; CHECK: ret
define i1 @other_bits(i32 %s, i32 %k, i1 %c) {
  %bit = select i1 %c, i32 1, i32 0
  %p = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %s, i32 %bit)
  %o = extractvalue {i32, i1} %p, 1
  %m = and i32 %k, 1
  %q = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %s, i32 %m)
  %n = extractvalue {i32, i1} %q, 1
  %r = and i1 %o, %n
  ret i1 %r
}

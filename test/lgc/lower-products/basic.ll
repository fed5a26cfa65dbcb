; RUN: lgc-opt -passes=lgc-lower-products -verify-each %s -o - | FileCheck %s

; CHECK-LABEL: @short_numbers(
; CHECK: [[T:%.*]] = trunc i64 %x to i32
; CHECK: [[U:%.*]] = call i32 @llvm.amdgcn.ubfe.i32(i32 [[T]], i32 0, i32 24)
; CHECK: [[X:%.*]] = zext i32 [[U]] to i64
; CHECK: mul i64 [[X]], 12345
define i64 @short_numbers(i64 %a, i64 %b) {
  %x = and i64 %a, 16777215
  %p = mul i64 %x, 12345
  %r = add i64 %p, %b
  ret i64 %r
}

; CHECK-LABEL: @components(
; CHECK-COUNT-4: call i32 @llvm.amdgcn.ubfe.i32(
; CHECK: ret
define <2 x i64> @components(<2 x i64> %a, <2 x i64> %b) {
  %x = and <2 x i64> %a, splat (i64 16777215)
  %y = and <2 x i64> %b, splat (i64 8388607)
  %p = mul <2 x i64> %x, %y
  ret <2 x i64> %p
}

; Longer ones, and what has 32 bits.
; CHECK-LABEL: @others(
; CHECK-NOT: ubfe
; CHECK: ret
define i64 @others(i64 %a, i64 %b) {
  %x = and i64 %a, 33554431
  %p = mul i64 %x, %x
  %y = and i64 %a, 65535
  %q = mul i64 %y, %y
  %r = add i64 %p, %q
  ret i64 %r
}

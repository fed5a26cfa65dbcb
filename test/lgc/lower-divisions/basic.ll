; RUN: lgc-opt -passes=lgc-lower-divisions -verify-each %s -o - | FileCheck %s

; 24 bits: no division is left for code generation to do in floats.
; CHECK-LABEL: @unsigned24(
; CHECK: call float @llvm.amdgcn.rcp.f32(
; CHECK-NOT: udiv
; CHECK: icmp uge
; CHECK: icmp uge
; CHECK: ret i32
define i32 @unsigned24(i32 %a, i32 %b) {
  %x = and i32 %a, 16777215
  %y = and i32 %b, 255
  %q = udiv i32 %x, %y
  ret i32 %q
}

; 22 and 25 bits are right.
; CHECK-LABEL: @others(
; CHECK: udiv i32
; CHECK: urem i32
; CHECK: udiv i32 %a, 3
; CHECK: sdiv i64
define i64 @others(i32 %a, i32 %b, i64 %l) {
  %x = and i32 %a, 4194303
  %y = and i32 %b, 255
  %q = udiv i32 %x, %y
  %z = and i32 %a, 33554431
  %r = urem i32 %z, %y
  %c = udiv i32 %a, 3
  %s = add i32 %q, %r
  %t = add i32 %s, %c
  %w = sext i32 %t to i64
  %d = sdiv i64 %l, %w
  ret i64 %d
}

; Numbers of 32 bits in 64: the quotient may have 33.
; CHECK-LABEL: @wide(
; CHECK-NOT: sdiv
; CHECK: [[S:%[0-9]+]] = sext i32 {{%.*}} to i64
; CHECK: [[X:%.*]] = xor i64 {{%.*}}, [[S]]
; CHECK: sub i64 [[X]], [[S]]
define i64 @wide(i32 %a, i32 %b) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %q = sdiv i64 %x, %y
  ret i64 %q
}

; CHECK-LABEL: @vector(
; CHECK-COUNT-2: call float @llvm.amdgcn.rcp.f32(
; CHECK-NOT: srem
; CHECK: ret
define <2 x i32> @vector(<2 x i32> %a, <2 x i32> %b) {
  %x = and <2 x i32> %a, splat (i32 8388607)
  %y = and <2 x i32> %b, splat (i32 255)
  %r = srem <2 x i32> %x, %y
  ret <2 x i32> %r
}

; By constants only those of 64 bits.
; CHECK-LABEL: @constant(
; CHECK: call float @llvm.amdgcn.rcp.f32(
; CHECK-NOT: udiv i64
; CHECK: udiv i32
; CHECK: ret
define i64 @constant(i64 %a, i32 %b) {
  %x = and i64 %a, 16777215
  %q = udiv i64 %x, 3
  %y = and i32 %b, 16777215
  %r = udiv i32 %y, 3
  %z = zext i32 %r to i64
  %s = add i64 %q, %z
  ret i64 %s
}

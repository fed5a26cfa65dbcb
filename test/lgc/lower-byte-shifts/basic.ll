; RUN: lgc-opt -passes=lgc-lower-byte-shifts -verify-each %s -o - | FileCheck %s

; CHECK-LABEL: @bytes(
; CHECK: [[U:%.*]] = xor i32 %x, -2147483648
; CHECK: [[L:%.*]] = lshr i32 [[U]], 8
; CHECK: sub i32 [[L]], 8388608
define i32 @bytes(i32 %x, i32 %y) {
  %s = ashr i32 %x, 8
  %t = lshr i32 %s, 8
  %m = and i32 %t, 16711680
  %r = or i32 %m, %y
  ret i32 %r
}

; CHECK-LABEL: @halves(
; CHECK: [[U:%.*]] = xor i16 %x, -32768
; CHECK: [[L:%.*]] = lshr i16 [[U]], 8
; CHECK: sub i16 [[L]], 128
define i32 @halves(i16 %x, i32 %y) {
  %s = ashr i16 %x, 8
  %w = zext i16 %s to i32
  %m = and i32 %w, 65280
  %r = or i32 %m, %y
  ret i32 %r
}

; No OR, no whole byte of sign, no constant.
; CHECK-LABEL: @others(
; CHECK: ashr i32 %x, 8
; CHECK: ashr i32 %x, 7
; CHECK: ashr i32 %x, %y
define i32 @others(i32 %x, i32 %y) {
  %a = ashr i32 %x, 8
  %b = ashr i32 %x, 7
  %c = ashr i32 %x, %y
  %d = add i32 %a, %x
  %e = or i32 %b, %c
  %f = xor i32 %d, %e
  ret i32 %f
}

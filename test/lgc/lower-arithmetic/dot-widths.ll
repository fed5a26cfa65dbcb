; RUN: lgc-opt -passes=lgc-lower-arithmetic -mcpu=gfx1030 -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX1030 %s
; RUN: lgc-opt -passes=lgc-lower-arithmetic -mcpu=gfx1100 -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX1100 %s
; RUN: lgc-opt -passes=lgc-lower-arithmetic -mcpu=gfx1010 -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX1010 %s
; Dot products take the target's instruction where there is one.

; CHECK-LABEL: define i32 @signed(
; GFX1030: call i32 @llvm.amdgcn.sdot4(i32 %{{.*}}, i32 %{{.*}}, i32 0, i1 false)
; GFX1100: call i32 @llvm.amdgcn.sudot4(i1 true, i32 %{{.*}}, i1 true, i32 %{{.*}}, i32 0, i1 false)
; GFX1010-NOT: dot4
; GFX1010-COUNT-4: mul i32
define i32 @signed(<4 x i8> %a, <4 x i8> %b) {
  %r = call i32 @lgc.dot.product__i32_i32_v4i8_v4i8_i32(i32 3, <4 x i8> %a, <4 x i8> %b, i32 poison)
  ret i32 %r
}

; CHECK-LABEL: define i32 @mixed.saturated(
; GFX1030-COUNT-4: mul i32
; GFX1030: @llvm.sadd.sat.i32
; GFX1100: call i32 @llvm.amdgcn.sudot4(i1 true, i32 %{{.*}}, i1 false, i32 %{{.*}}, i32 %c, i1 true)
; GFX1010: @llvm.sadd.sat.i32
define i32 @mixed.saturated(<4 x i8> %a, <4 x i8> %b, i32 %c) {
  %r = call i32 @lgc.dot.product__i32_i32_v4i8_v4i8_i32(i32 5, <4 x i8> %a, <4 x i8> %b, i32 %c)
  ret i32 %r
}

; The instruction saturates as signed: unsigned sums do behind it.
; CHECK-LABEL: define i32 @unsigned.saturated(
; GFX1100: [[D:%.*]] = call i32 @llvm.amdgcn.sudot4(i1 false, i32 %{{.*}}, i1 false, i32 %{{.*}}, i32 0, i1 false)
; GFX1100-NEXT: call i32 @llvm.uadd.sat.i32(i32 [[D]], i32 %c)
; GFX1030-COUNT-4: mul i32
; GFX1030: call i32 @llvm.uadd.sat.i32(
define i32 @unsigned.saturated(<4 x i8> %a, <4 x i8> %b, i32 %c) {
  %r = call i32 @lgc.dot.product__i32_i32_v4i8_v4i8_i32(i32 4, <4 x i8> %a, <4 x i8> %b, i32 %c)
  ret i32 %r
}

; Three bytes are four with a zero; a wider result is extended.
; CHECK-LABEL: define i64 @wide(
; GFX1030-COUNT-3: mul i64
; GFX1100: [[D:%.*]] = call i32 @llvm.amdgcn.sudot4(i1 false, i32 %{{.*}}, i1 false,
; GFX1100-NEXT: zext i32 [[D]] to i64
define i64 @wide(<3 x i8> %a, <3 x i8> %b) {
  %r = call i64 @lgc.dot.product__i64_i32_v3i8_v3i8_i32(i32 0, <3 x i8> %a, <3 x i8> %b, i32 poison)
  ret i64 %r
}

; CHECK-LABEL: define i64 @clock(
; CHECK-NEXT: call i64 @llvm.readsteadycounter()
define i64 @clock() {
  %r = call i64 @lgc.shader.clock__i64_i32(i32 2)
  ret i64 %r
}

declare i32 @lgc.dot.product__i32_i32_v4i8_v4i8_i32(i32, <4 x i8>, <4 x i8>, i32)
declare i64 @lgc.dot.product__i64_i32_v3i8_v3i8_i32(i32, <3 x i8>, <3 x i8>, i32)
declare i64 @lgc.shader.clock__i64_i32(i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

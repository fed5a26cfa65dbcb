; RUN: lgc-opt -passes=lgc-lower-images -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -passes=lgc-lower-images -mcpu=gfx1201 %s -o - | FileCheck --check-prefix=GFX12 %s

; Queries read descriptor fields; a null descriptor gives 0.
; CHECK-LABEL: @levels(
; CHECK: [[W:%.*]] = extractelement <8 x i32> %img, i64 3
; CHECK: lshr i32 [[W]], 16
; CHECK: lshr i32 %{{.*}}, 12
; CHECK: select i1 %{{.*}}, i32 0, i32
define i32 @levels(<8 x i32> %img) {
  %r = call i32 @lgc.image.query.levels__i32_v8i32_i32_i32(<8 x i32> %img, i32 1, i32 0)
  ret i32 %r
}

; GFX12-LABEL: @levels(
; GFX12: lshr i32 %{{.*}}, 15
; GFX12: lshr i32 %{{.*}}, 25
; CHECK-LABEL: @samples(
; CHECK: shl i32 1,
; CHECK: icmp uge i32 %{{.*}}, 14
define i32 @samples(<8 x i32> %img) {
  %r = call i32 @lgc.image.query.samples__i32_v8i32_i32_i32(<8 x i32> %img, i32 7, i32 0)
  ret i32 %r
}

; CHECK-LABEL: @buffer_size(
; CHECK: [[R:%.*]] = extractelement <4 x i32> %smp, i64 2
; CHECK: ret i32 [[R]]
define i32 @buffer_size(<4 x i32> %smp) {
  %r = call i32 @lgc.image.query.size__i32_v4i32_i32_i32_i32(<4 x i32> %smp, i32 9, i32 0, i32 poison)
  ret i32 %r
}

; CHECK-LABEL: @cube_array_size(
; CHECK: call i32 @llvm.umax.i32(
; CHECK: udiv i32 %{{.*}}, 6
define <3 x i32> @cube_array_size(<8 x i32> %img) {
  %r = call <3 x i32> @lgc.image.query.size__v3i32_v8i32_i32_i32_i32(<8 x i32> %img, i32 6, i32 0, i32 poison)
  ret <3 x i32> %r
}

; CHECK-LABEL: @size_3d(
; CHECK: add i32 %{{.*}}, %l
; CHECK: select i1
define <3 x i32> @size_3d(<8 x i32> %img, i32 %l) {
  %r = call <3 x i32> @lgc.image.query.size__v3i32_v8i32_i32_i32_i32(<8 x i32> %img, i32 2, i32 0, i32 %l)
  ret <3 x i32> %r
}

; The last component of a 64-bit texel, which the hardware does not give.
; CHECK-LABEL: @load_64(
; CHECK: [[W:%.*]] = extractelement <8 x i32> %img, i64 3
; CHECK: [[N:%.*]] = icmp eq i32 [[W]], 0
; CHECK: [[A:%.*]] = select i1 [[N]], i32 0, i32 1
; CHECK: [[E:%.*]] = zext i32 [[A]] to i64
; CHECK: insertelement <4 x i64> %{{.*}}, i64 [[E]], i64 3
define <4 x i64> @load_64(<8 x i32> %img, <2 x i32> %xy) {
  %r = call <4 x i64> @lgc.image.load__v4i64_v8i32_i32_i32_v2i32_i32_i32(<8 x i32> %img, i32 1, i32 0, <2 x i32> %xy, i32 poison, i32 poison)
  ret <4 x i64> %r
}

declare <4 x i64> @lgc.image.load__v4i64_v8i32_i32_i32_v2i32_i32_i32(<8 x i32>, i32, i32, <2 x i32>, i32, i32)
declare <3 x i32> @lgc.image.query.size__v3i32_v8i32_i32_i32_i32(<8 x i32>, i32, i32, i32)
declare i32 @lgc.image.query.levels__i32_v8i32_i32_i32(<8 x i32>, i32, i32)
declare i32 @lgc.image.query.samples__i32_v8i32_i32_i32(<8 x i32>, i32, i32)
declare i32 @lgc.image.query.size__i32_v4i32_i32_i32_i32(<4 x i32>, i32, i32, i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}
!lgc.options = !{!1}
!1 = !{!"nullDescriptor", i32 1}

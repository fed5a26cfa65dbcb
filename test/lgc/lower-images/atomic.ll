; RUN: lgc-opt -passes=lgc-lower-images -verify-each %s -o - | FileCheck %s

; Atomics; what gfx11 cannot do in one instruction loops around compare-and-swap.
; CHECK-LABEL: @add(
; CHECK: call i32 @llvm.amdgcn.image.atomic.add.2d.i32.i32.v8i32(i32 %v,
define i32 @add(<8 x i32> %img, <2 x i32> %xy, i32 %v) {
  %r = call i32 @lgc.image.atomic__i32_v8i32_i32_i32_i32_v2i32_i32_i32_i32(<8 x i32> %img, i32 1, i32 0, i32 2, <2 x i32> %xy, i32 poison, i32 %v, i32 poison)
  ret i32 %r
}

; CHECK-LABEL: @cmpswap64(
; CHECK: call i64 @llvm.amdgcn.image.atomic.cmpswap.2d.i64.{{.*}}(i64 %v, i64 %c,
define i64 @cmpswap64(<8 x i32> %img, <2 x i32> %xy, i64 %v, i64 %c) {
  %r = call i64 @lgc.image.atomic__i64_v8i32_i32_i32_i32_v2i32_i32_i64_i64(<8 x i32> %img, i32 1, i32 0, i32 1, <2 x i32> %xy, i32 poison, i64 %v, i64 %c)
  ret i64 %r
}

; CHECK-LABEL: @buffer_umax(
; CHECK: call i32 @llvm.amdgcn.struct.ptr.buffer.atomic.umax.i32(i32 %v, ptr addrspace(8) %{{.*}}, i32 %x,
define i32 @buffer_umax(<4 x i32> %smp, i32 %x, i32 %v) {
  %r = call i32 @lgc.image.atomic__i32_v4i32_i32_i32_i32_i32_i32_i32_i32(<4 x i32> %smp, i32 9, i32 0, i32 7, i32 %x, i32 poison, i32 %v, i32 poison)
  ret i32 %r
}

; CHECK-LABEL: @buffer_fadd(
; CHECK: call float @llvm.amdgcn.struct.ptr.buffer.atomic.fadd.f32(
define float @buffer_fadd(<4 x i32> %smp, i32 %x, float %v) {
  %r = call float @lgc.image.atomic__f32_v4i32_i32_i32_i32_i32_i32_f32_i32(<4 x i32> %smp, i32 9, i32 0, i32 13, i32 %x, i32 poison, float %v, i32 poison)
  ret float %r
}

; CHECK-LABEL: @fadd(
; CHECK: @llvm.amdgcn.image.load.2d.
; CHECK: image.atomic:
; CHECK: [[E:%.*]] = phi i32
; CHECK: fadd float
; CHECK: [[O:%.*]] = call i32 @llvm.amdgcn.image.atomic.cmpswap.2d.
; CHECK: [[C:%.*]] = icmp eq i32 [[O]], [[E]]
; CHECK: br i1 [[C]]
define float @fadd(<8 x i32> %img, <2 x i32> %xy, float %v) {
  %r = call float @lgc.image.atomic__f32_v8i32_i32_i32_i32_v2i32_i32_f32_i32(<8 x i32> %img, i32 1, i32 0, i32 13, <2 x i32> %xy, i32 poison, float %v, i32 poison)
  ret float %r
}

declare float @lgc.image.atomic__f32_v4i32_i32_i32_i32_i32_i32_f32_i32(<4 x i32>, i32, i32, i32, i32, i32, float, i32)
declare float @lgc.image.atomic__f32_v8i32_i32_i32_i32_v2i32_i32_f32_i32(<8 x i32>, i32, i32, i32, <2 x i32>, i32, float, i32)
declare i32 @lgc.image.atomic__i32_v4i32_i32_i32_i32_i32_i32_i32_i32(<4 x i32>, i32, i32, i32, i32, i32, i32, i32)
declare i32 @lgc.image.atomic__i32_v8i32_i32_i32_i32_v2i32_i32_i32_i32(<8 x i32>, i32, i32, i32, <2 x i32>, i32, i32, i32)
declare i64 @lgc.image.atomic__i64_v8i32_i32_i32_i32_v2i32_i32_i64_i64(<8 x i32>, i32, i32, i32, <2 x i32>, i32, i64, i64)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

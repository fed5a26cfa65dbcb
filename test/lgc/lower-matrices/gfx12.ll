; RUN: lgc-opt -passes=lgc-lower-matrices -verify-each %s -o - | FileCheck %s
; gfx12, wave64: four components in each lane. 19: signed factors, saturating.
define void @lgc.shader.CS(<4 x half> %a, <4 x half> %b, <4 x half> %c, <4 x i8> %x, <4 x i8> %y, <4 x i32> %z, ptr %out) {
; CHECK: call <4 x half> @llvm.amdgcn.wmma.f16.16x16x16.f16.v4f16.v4f16(<4 x half> %a, <4 x half> %b, <4 x half> %c, i1 false)
  %d = call <4 x half> @lgc.matrix.muladd__v4f16_i32_v4f16_v4f16_v4f16(i32 0, <4 x half> %a, <4 x half> %b, <4 x half> %c)
  store <4 x half> %d, ptr %out
; CHECK: [[X:%.*]] = bitcast <4 x i8> %x to i32
; CHECK: [[Y:%.*]] = bitcast <4 x i8> %y to i32
; CHECK: call <4 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8.v4i32.i32(i1 true, i32 [[X]], i1 true, i32 [[Y]], <4 x i32> %z, i1 true)
  %w = call <4 x i32> @lgc.matrix.muladd__v4i32_i32_v4i8_v4i8_v4i32(i32 19, <4 x i8> %x, <4 x i8> %y, <4 x i32> %z)
  store <4 x i32> %w, ptr %out
  ret void
}
declare <4 x half> @lgc.matrix.muladd__v4f16_i32_v4f16_v4f16_v4f16(i32, <4 x half>, <4 x half>, <4 x half>)
declare <4 x i32> @lgc.matrix.muladd__v4i32_i32_v4i8_v4i8_v4i32(i32, <4 x i8>, <4 x i8>, <4 x i32>)
!lgc.target = !{!0}
!0 = !{!"gfx1201"}

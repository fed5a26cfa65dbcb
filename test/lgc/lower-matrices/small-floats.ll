; RUN: lgc-opt -passes=lgc-lower-matrices -verify-each %s -o - | FileCheck %s
; bfloat16, and bytes that are floats: 32 is E5M2 for A, 64 for B.
define void @lgc.shader.CS(<8 x i16> %a, <8 x i16> %b, <8 x i8> %x, <8 x i8> %y, <8 x float> %c, ptr %out) {
; CHECK: call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.bf16.v8f32.v8i16(<8 x i16> %a, <8 x i16> %b, <8 x float> %c)
  %d = call <8 x float> @lgc.matrix.muladd__v8f32_i32_v8i16_v8i16_v8f32(i32 0, <8 x i16> %a, <8 x i16> %b, <8 x float> %c)
  store <8 x float> %d, ptr %out
; CHECK: call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.fp8.fp8.v8f32.v2i32(
  %e = call <8 x float> @lgc.matrix.muladd__v8f32_i32_v8i8_v8i8_v8f32(i32 0, <8 x i8> %x, <8 x i8> %y, <8 x float> %c)
  store <8 x float> %e, ptr %out
; CHECK: call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.bf8.fp8.v8f32.v2i32(
  %f = call <8 x float> @lgc.matrix.muladd__v8f32_i32_v8i8_v8i8_v8f32(i32 32, <8 x i8> %x, <8 x i8> %y, <8 x float> %c)
  store <8 x float> %f, ptr %out
; CHECK: call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.fp8.bf8.v8f32.v2i32(
  %g = call <8 x float> @lgc.matrix.muladd__v8f32_i32_v8i8_v8i8_v8f32(i32 64, <8 x i8> %x, <8 x i8> %y, <8 x float> %c)
  store <8 x float> %g, ptr %out
; CHECK: call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.bf8.bf8.v8f32.v2i32(
  %h = call <8 x float> @lgc.matrix.muladd__v8f32_i32_v8i8_v8i8_v8f32(i32 96, <8 x i8> %x, <8 x i8> %y, <8 x float> %c)
  store <8 x float> %h, ptr %out
  ret void
}
declare <8 x float> @lgc.matrix.muladd__v8f32_i32_v8i16_v8i16_v8f32(i32, <8 x i16>, <8 x i16>, <8 x float>)
declare <8 x float> @lgc.matrix.muladd__v8f32_i32_v8i8_v8i8_v8f32(i32, <8 x i8>, <8 x i8>, <8 x float>)
!lgc.target = !{!0}
!0 = !{!"gfx1201"}

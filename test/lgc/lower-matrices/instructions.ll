; RUN: lgc-opt -passes=lgc-lower-matrices -verify-each %s -o - | FileCheck %s
; Factors of gfx11 have 16 components in each lane; sums of halves are in registers of their own.
define void @lgc.shader.CS(<16 x half> %a, <16 x half> %b, <8 x float> %c, <8 x half> %h, ptr %out) {
; CHECK: call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, <16 x half> %b, <8 x float> %c)
  %d = call <8 x float> @lgc.matrix.muladd__v8f32_i32_v16f16_v16f16_v8f32(i32 0, <16 x half> %a, <16 x half> %b, <8 x float> %c)
  store <8 x float> %d, ptr %out
; CHECK: [[SPREAD:%.*]] = shufflevector <8 x half> %h, <8 x half> poison, <16 x i32> <i32 0, i32 poison, i32 1, i32 poison, i32 2,
; CHECK: [[D:%.*]] = call <16 x half> @llvm.amdgcn.wmma.f16.16x16x16.f16.v16f16.v16f16(<16 x half> %a, <16 x half> %b, <16 x half> [[SPREAD]], i1 false)
; CHECK: shufflevector <16 x half> [[D]], <16 x half> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %e = call <8 x half> @lgc.matrix.muladd__v8f16_i32_v16f16_v16f16_v8f16(i32 0, <16 x half> %a, <16 x half> %b, <8 x half> %h)
  store <8 x half> %e, ptr %out
  ret void
}
declare <8 x float> @lgc.matrix.muladd__v8f32_i32_v16f16_v16f16_v8f32(i32, <16 x half>, <16 x half>, <8 x float>)
declare <8 x half> @lgc.matrix.muladd__v8f16_i32_v16f16_v16f16_v8f16(i32, <16 x half>, <16 x half>, <8 x half>)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

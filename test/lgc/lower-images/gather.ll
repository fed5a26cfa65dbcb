; RUN: lgc-opt -passes=lgc-lower-images -verify-each %s -o - | FileCheck %s

; gather4: the mask names the component; four offsets become four gathers.
; CHECK-LABEL: @component(
; TRUNC_COORD of the sampler is cleared.
; CHECK: [[S:%.*]] = and <4 x i32> %smp, <i32 -134217729, i32 -1, i32 -1, i32 -1>
; CHECK: @llvm.amdgcn.image.gather4.lz.2d.v4f32.f32.{{.*}}(i32 4, {{.*}}, <4 x i32> [[S]],
define <4 x float> @component(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv) {
  %r = call <4 x float> @lgc.image.gather__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 0, <2 x float> %uv, i32 poison, i32 poison, i32 poison, i32 2, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @dref(
; CHECK: [[S:%.*]] = and <4 x i32> %smp, <i32 -134217729, i32 -1, i32 -1, i32 -1>
; CHECK: @llvm.amdgcn.image.gather4.c.lz.2d.{{.*}}(i32 1, float %d, {{.*}}, <4 x i32> [[S]],
define <4 x float> @dref(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv, float %d) {
  %r = call <4 x float> @lgc.image.gather__v4f32_v8i32_v4i32_i32_i32_v2f32_f32_i32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 0, <2 x float> %uv, float %d, i32 poison, i32 poison, i32 3, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @offsets(
; CHECK: [[A:%.*]] = call <4 x float> @llvm.amdgcn.image.gather4.lz.o.2d.
; CHECK: extractelement <4 x float> [[A]], i64 3
; CHECK: @llvm.amdgcn.image.gather4.lz.o.2d.
; CHECK: @llvm.amdgcn.image.gather4.lz.o.2d.
; CHECK: @llvm.amdgcn.image.gather4.lz.o.2d.
define <4 x float> @offsets(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv, [4 x <2 x i32>] %o) {
  %r = call <4 x float> @lgc.image.gather__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_a4v2i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 0, <2 x float> %uv, i32 poison, i32 poison, i32 poison, i32 0, [4 x <2 x i32>] %o)
  ret <4 x float> %r
}

; CHECK-LABEL: @sparse_half(
; CHECK: call { <4 x float>, i32 } @llvm.amdgcn.image.gather4.lz.2d.
; CHECK: fptrunc <4 x float>
define {<4 x half>, i32} @sparse_half(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv) {
  %r = call {<4 x half>, i32} @lgc.image.gather__s2v4f16i32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 8, <2 x float> %uv, i32 poison, i32 poison, i32 poison, i32 0, i32 poison)
  ret {<4 x half>, i32} %r
}

declare <4 x float> @lgc.image.gather__v4f32_v8i32_v4i32_i32_i32_v2f32_f32_i32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, float, i32, i32, i32, i32)
declare <4 x float> @lgc.image.gather__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_a4v2i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, i32, i32, i32, i32, [4 x <2 x i32>])
declare <4 x float> @lgc.image.gather__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, i32, i32, i32, i32, i32)
declare {<4 x half>, i32} @lgc.image.gather__s2v4f16i32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

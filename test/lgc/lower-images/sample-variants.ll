; RUN: lgc-opt -passes=lgc-lower-images -verify-each %s -o - | FileCheck %s

; The instruction follows from the operands; only components that are read are requested.
; CHECK-LABEL: @implicit(
; CHECK: call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32.v8i32.v4i32(i32 15,
define <4 x float> @implicit(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv) {
  %r = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 0, <2 x float> %uv, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @one_component(
; CHECK: call float @llvm.amdgcn.image.sample.2d.f32.f32.v8i32.v4i32(i32 4,
define float @one_component(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv) {
  %r = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 0, <2 x float> %uv, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison)
  %e = extractelement <4 x float> %r, i64 2
  ret float %e
}

; CHECK-LABEL: @bias_min_lod(
; CHECK: @llvm.amdgcn.image.sample.b.cl.2d.{{.*}}(i32 15, float %b, float %{{.*}}, float %{{.*}}, float %m,
define <4 x float> @bias_min_lod(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv, float %b, float %m) {
  %r = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_f32_i32_f32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 0, <2 x float> %uv, i32 poison, float %b, i32 poison, float %m, i32 poison, i32 poison, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @lod_offset(
; CHECK: @llvm.amdgcn.image.sample.l.o.2d.{{.*}}(i32 15, i32 575, float %{{.*}}, float %{{.*}}, float %l,
define <4 x float> @lod_offset(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv, float %l) {
  %r = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_f32_i32_i32_i32_v2i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 0, <2 x float> %uv, i32 poison, i32 poison, float %l, i32 poison, i32 poison, i32 poison, <2 x i32> <i32 -1, i32 2>)
  ret <4 x float> %r
}

; CHECK-LABEL: @lod_zero(
; CHECK: @llvm.amdgcn.image.sample.lz.2d.
define <4 x float> @lod_zero(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv) {
  %r = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_f32_i32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 0, <2 x float> %uv, i32 poison, i32 poison, float 0.0, i32 poison, i32 poison, i32 poison, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @dref_grad(
; CHECK: @llvm.amdgcn.image.sample.c.d.2d.f32.{{.*}}(i32 1, float %d, float %{{.*}}, float %{{.*}}, float %{{.*}}, float %{{.*}}, float %{{.*}}, float %{{.*}}, <8 x i32> %img, <4 x i32> %smp, i1 false, i32 0, i32 0)
define float @dref_grad(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv, float %d, <2 x float> %dx, <2 x float> %dy) {
  %r = call float @lgc.image.sample__f32_v8i32_v4i32_i32_i32_v2f32_f32_i32_i32_i32_v2f32_v2f32_i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 0, <2 x float> %uv, float %d, i32 poison, i32 poison, i32 poison, <2 x float> %dx, <2 x float> %dy, i32 poison)
  ret float %r
}

; CHECK-LABEL: @sparse(
; CHECK: call { <4 x float>, i32 } @llvm.amdgcn.image.sample.2d.{{.*}} i1 false, i32 1, i32 0)
define {<4 x float>, i32} @sparse(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv) {
  %r = call {<4 x float>, i32} @lgc.image.sample__s2v4f32i32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 8, <2 x float> %uv, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison)
  ret {<4 x float>, i32} %r
}

; CHECK-LABEL: @a16(
; CHECK: @llvm.amdgcn.image.sample.2d.v4f32.f16.
define <4 x float> @a16(<8 x i32> %img, <4 x i32> %smp, <2 x half> %uv) {
  %r = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f16_i32_i32_i32_i32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 0, <2 x half> %uv, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @d16(
; CHECK: call <4 x half> @llvm.amdgcn.image.sample.2d.v4f16.f32.
define <4 x half> @d16(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv) {
  %r = call <4 x half> @lgc.image.sample__v4f16_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 0, <2 x float> %uv, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison)
  ret <4 x half> %r
}

declare <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f16_i32_i32_i32_i32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <2 x half>, i32, i32, i32, i32, i32, i32, i32)
declare <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_f32_i32_f32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, i32, float, i32, float, i32, i32, i32)
declare <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_f32_i32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, i32, i32, float, i32, i32, i32, i32)
declare <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_f32_i32_i32_i32_v2i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, i32, i32, float, i32, i32, i32, <2 x i32>)
declare <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, i32, i32, i32, i32, i32, i32, i32)
declare <4 x half> @lgc.image.sample__v4f16_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, i32, i32, i32, i32, i32, i32, i32)
declare float @lgc.image.sample__f32_v8i32_v4i32_i32_i32_v2f32_f32_i32_i32_i32_v2f32_v2f32_i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, float, i32, i32, i32, <2 x float>, <2 x float>, i32)
declare {<4 x float>, i32} @lgc.image.sample__s2v4f32i32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_i32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, i32, i32, i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}
!lgc.compute = !{!1}
!1 = !{!"derivatives", !"quads"}

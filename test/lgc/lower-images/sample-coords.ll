; RUN: lgc-opt -passes=lgc-lower-images -verify-each %s -o - | FileCheck %s

; Layers are rounded, cube directions projected; without derivative groups the level is 0.
; CHECK-LABEL: @array(
; CHECK: [[L:%.*]] = call float @llvm.rint.f32(
; CHECK: @llvm.amdgcn.image.sample.lz.2darray.{{.*}}(i32 15, float %{{.*}}, float %{{.*}}, float [[L]],
define <4 x float> @array(<8 x i32> %img, <4 x i32> %smp, <3 x float> %dir) {
  %r = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v3f32_i32_i32_i32_i32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 5, i32 0, <3 x float> %dir, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @cube(
; CHECK: call float @llvm.amdgcn.cubema(
; CHECK: call float @llvm.amdgcn.cubesc(
; CHECK: call float @llvm.amdgcn.cubetc(
; CHECK: [[ID:%.*]] = call float @llvm.amdgcn.cubeid(
; CHECK: call float @llvm.amdgcn.rcp.f32(
; CHECK: call float @llvm.fma.f32({{.*}} float 1.5{{.*}})
; CHECK: @llvm.amdgcn.image.sample.lz.cube.{{.*}}(i32 15, float %{{.*}}, float %{{.*}}, float [[ID]],
define <4 x float> @cube(<8 x i32> %img, <4 x i32> %smp, <3 x float> %dir) {
  %r = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v3f32_i32_i32_i32_i32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 3, i32 0, <3 x float> %dir, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @cube_array(
; CHECK: call float @llvm.maxnum.f32(
; CHECK: [[F:%.*]] = call float @llvm.fma.f32(float %{{.*}}, float 8.0
; CHECK: @llvm.amdgcn.image.sample.lz.cube.{{.*}} float [[F]],
define <4 x float> @cube_array(<8 x i32> %img, <4 x i32> %smp, <4 x float> %dir) {
  %r = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v4f32_i32_i32_i32_i32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 6, i32 0, <4 x float> %dir, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @cube_gradient(
; CHECK: fptoui float
; CHECK: @llvm.amdgcn.image.sample.d.cube.v4f32.f32.f32.
define <4 x float> @cube_gradient(<8 x i32> %img, <4 x i32> %smp, <3 x float> %dir, <3 x float> %dx, <3 x float> %dy) {
  %r = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v3f32_i32_i32_i32_i32_v3f32_v3f32_i32(<8 x i32> %img, <4 x i32> %smp, i32 3, i32 0, <3 x float> %dir, i32 poison, i32 poison, i32 poison, i32 poison, <3 x float> %dx, <3 x float> %dy, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @min_lod(
; CHECK: @llvm.amdgcn.image.sample.l.2d.{{.*}}float %m, <8 x i32> %img
define <4 x float> @min_lod(<8 x i32> %img, <4 x i32> %smp, <2 x float> %uv, float %m) {
  %r = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_f32_i32_i32_i32(<8 x i32> %img, <4 x i32> %smp, i32 1, i32 0, <2 x float> %uv, i32 poison, i32 poison, i32 poison, float %m, i32 poison, i32 poison, i32 poison)
  ret <4 x float> %r
}

declare <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_i32_f32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, i32, i32, i32, float, i32, i32, i32)
declare <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v3f32_i32_i32_i32_i32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <3 x float>, i32, i32, i32, i32, i32, i32, i32)
declare <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v3f32_i32_i32_i32_i32_v3f32_v3f32_i32(<8 x i32>, <4 x i32>, i32, i32, <3 x float>, i32, i32, i32, i32, <3 x float>, <3 x float>, i32)
declare <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v4f32_i32_i32_i32_i32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <4 x float>, i32, i32, i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

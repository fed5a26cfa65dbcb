; RUN: lgc-opt -passes=lgc-lower-images -verify-each %s -o - | FileCheck %s

; Texel access; coherence becomes cache policy bits (gfx11).
; CHECK-LABEL: @load(
; CHECK: call <4 x float> @llvm.amdgcn.image.load.2d.v4f32.i32.v8i32(i32 15,
define <4 x float> @load(<8 x i32> %img, <2 x i32> %xy) {
  %r = call <4 x float> @lgc.image.load__v4f32_v8i32_i32_i32_v2i32_i32_i32(<8 x i32> %img, i32 1, i32 0, <2 x i32> %xy, i32 poison, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @load_int(
; CHECK: [[R:%.*]] = call <4 x float> @llvm.amdgcn.image.load.2d.
; CHECK: bitcast <4 x float> [[R]] to <4 x i32>
define <4 x i32> @load_int(<8 x i32> %img, <2 x i32> %xy) {
  %r = call <4 x i32> @lgc.image.load__v4i32_v8i32_i32_i32_v2i32_i32_i32(<8 x i32> %img, i32 1, i32 0, <2 x i32> %xy, i32 poison, i32 poison)
  ret <4 x i32> %r
}

; CHECK-LABEL: @load_mip(
; CHECK: @llvm.amdgcn.image.load.mip.2darray.{{.*}} i32 %l, <8 x i32> %img
define <4 x float> @load_mip(<8 x i32> %img, <3 x i32> %xyz, i32 %l) {
  %r = call <4 x float> @lgc.image.load__v4f32_v8i32_i32_i32_v3i32_i32_i32(<8 x i32> %img, i32 5, i32 0, <3 x i32> %xyz, i32 %l, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @load_ms(
; CHECK: @llvm.amdgcn.image.load.2dmsaa.{{.*}} i32 %s, <8 x i32> %img
define <4 x float> @load_ms(<8 x i32> %img, <2 x i32> %xy, i32 %s) {
  %r = call <4 x float> @lgc.image.load__v4f32_v8i32_i32_i32_v2i32_i32_i32(<8 x i32> %img, i32 7, i32 0, <2 x i32> %xy, i32 poison, i32 %s)
  ret <4 x float> %r
}

; CHECK-LABEL: @load_cube_array(
; CHECK: @llvm.amdgcn.image.load.cube.
define <4 x float> @load_cube_array(<8 x i32> %img, <3 x i32> %xyz) {
  %r = call <4 x float> @lgc.image.load__v4f32_v8i32_i32_i32_v3i32_i32_i32(<8 x i32> %img, i32 6, i32 0, <3 x i32> %xyz, i32 poison, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @load_64(
; CHECK: call <2 x float> @llvm.amdgcn.image.load.2d.v2f32.{{.*}}(i32 3,
; CHECK: bitcast <2 x float> %{{.*}} to i64
; CHECK: insertelement <4 x i64> %{{.*}}, i64 1, i64 3
define <4 x i64> @load_64(<8 x i32> %img, <2 x i32> %xy) {
  %r = call <4 x i64> @lgc.image.load__v4i64_v8i32_i32_i32_v2i32_i32_i32(<8 x i32> %img, i32 1, i32 0, <2 x i32> %xy, i32 poison, i32 poison)
  ret <4 x i64> %r
}

; CHECK-LABEL: @load_coherent(
; CHECK: @llvm.amdgcn.image.load.2d.{{.*}} i32 0, i32 1)
define <4 x float> @load_coherent(<8 x i32> %img, <2 x i32> %xy) {
  %r = call <4 x float> @lgc.image.load__v4f32_v8i32_i32_i32_v2i32_i32_i32(<8 x i32> %img, i32 1, i32 1, <2 x i32> %xy, i32 poison, i32 poison)
  ret <4 x float> %r
}

; CHECK-LABEL: @load_buffer(
; CHECK: call <2 x float> @llvm.amdgcn.struct.ptr.buffer.load.format.v2f32(ptr addrspace(8) %{{.*}}, i32 %x, i32 0, i32 0, i32 0)
define float @load_buffer(<4 x i32> %smp, i32 %x) {
  %r = call <4 x float> @lgc.image.load__v4f32_v4i32_i32_i32_i32_i32_i32(<4 x i32> %smp, i32 9, i32 0, i32 %x, i32 poison, i32 poison)
  %e = extractelement <4 x float> %r, i64 1
  ret float %e
}

; CHECK-LABEL: @store(
; CHECK: call void @llvm.amdgcn.image.store.2d.v4f32.i32.v8i32(<4 x float> %t, i32 15,
define void @store(<4 x float> %t, <8 x i32> %img, <2 x i32> %xy) {
  call void @lgc.image.store__void_v4f32_v8i32_i32_i32_v2i32_i32_i32(<4 x float> %t, <8 x i32> %img, i32 1, i32 0, <2 x i32> %xy, i32 poison, i32 poison)
  ret void
}

; CHECK-LABEL: @store_int(
; CHECK: bitcast i32 %t to float
; CHECK: call void @llvm.amdgcn.image.store.2d.f32.i32.v8i32(float %{{.*}}, i32 1,
define void @store_int(i32 %t, <8 x i32> %img, <2 x i32> %xy) {
  call void @lgc.image.store__void_i32_v8i32_i32_i32_v2i32_i32_i32(i32 %t, <8 x i32> %img, i32 1, i32 0, <2 x i32> %xy, i32 poison, i32 poison)
  ret void
}

; CHECK-LABEL: @store_buffer(
; CHECK: call void @llvm.amdgcn.struct.ptr.buffer.store.format.v4f32(<4 x float> %t, ptr addrspace(8) %{{.*}}, i32 %x, i32 0, i32 0, i32 0)
define void @store_buffer(<4 x float> %t, <4 x i32> %smp, i32 %x) {
  call void @lgc.image.store__void_v4f32_v4i32_i32_i32_i32_i32_i32(<4 x float> %t, <4 x i32> %smp, i32 9, i32 0, i32 %x, i32 poison, i32 poison)
  ret void
}

declare <4 x float> @lgc.image.load__v4f32_v4i32_i32_i32_i32_i32_i32(<4 x i32>, i32, i32, i32, i32, i32)
declare <4 x float> @lgc.image.load__v4f32_v8i32_i32_i32_v2i32_i32_i32(<8 x i32>, i32, i32, <2 x i32>, i32, i32)
declare <4 x float> @lgc.image.load__v4f32_v8i32_i32_i32_v3i32_i32_i32(<8 x i32>, i32, i32, <3 x i32>, i32, i32)
declare <4 x i32> @lgc.image.load__v4i32_v8i32_i32_i32_v2i32_i32_i32(<8 x i32>, i32, i32, <2 x i32>, i32, i32)
declare <4 x i64> @lgc.image.load__v4i64_v8i32_i32_i32_v2i32_i32_i32(<8 x i32>, i32, i32, <2 x i32>, i32, i32)
declare void @lgc.image.store__void_i32_v8i32_i32_i32_v2i32_i32_i32(i32, <8 x i32>, i32, i32, <2 x i32>, i32, i32)
declare void @lgc.image.store__void_v4f32_v4i32_i32_i32_i32_i32_i32(<4 x float>, <4 x i32>, i32, i32, i32, i32, i32)
declare void @lgc.image.store__void_v4f32_v8i32_i32_i32_v2i32_i32_i32(<4 x float>, <8 x i32>, i32, i32, <2 x i32>, i32, i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

; How a power is computed, which may have the error of a logarithm times its exponent.
; RUN: lgc-opt -passes=lgc-decide-rounding %s -o - | FileCheck %s

; CHECK-LABEL: define float @power(
; CHECK-NEXT: %[[L:.*]] = call afn float @llvm.log2.f32(float %x)
; CHECK-NEXT: %[[P:.*]] = call afn float @llvm.amdgcn.fmul.legacy(float %y, float %[[L]])
; CHECK-NEXT: %[[R:.*]] = call afn float @llvm.exp2.f32(float %[[P]])
; CHECK-NEXT: ret float %[[R]]
define float @power(float %x, float %y) {
  %r = call afn float @llvm.pow.f32(float %x, float %y)
  ret float %r
}

; CHECK-LABEL: define float @five(
; CHECK-NEXT: %[[S:.*]] = fmul afn float %x, %x
; CHECK-NEXT: %[[Q:.*]] = fmul afn float %[[S]], %[[S]]
; CHECK-NEXT: %[[R:.*]] = fmul afn float %x, %[[Q]]
; CHECK-NEXT: ret float %[[R]]
define float @five(float %x) {
  %r = call afn float @llvm.pow.f32(float %x, float 5.0)
  ret float %r
}

; CHECK-LABEL: define float @root(
; CHECK-NEXT: %[[R:.*]] = call afn float @llvm.sqrt.f32(float %x)
; CHECK-NEXT: ret float %[[R]]
define float @root(float %x) {
  %r = call afn float @llvm.pow.f32(float %x, float 0.5)
  ret float %r
}

; By elements; neither a negative exponent nor a fraction is a product.
; CHECK-LABEL: define <2 x float> @elements(
; CHECK: call afn float @llvm.amdgcn.fmul.legacy(float -2.000000e+00,
; CHECK: call afn float @llvm.amdgcn.fmul.legacy(float 1.500000e+00,
define <2 x float> @elements(<2 x float> %x) {
  %r = call afn <2 x float> @llvm.pow.v2f32(<2 x float> %x, <2 x float> <float -2.0, float 1.5>)
  ret <2 x float> %r
}
declare float @llvm.pow.f32(float, float)
declare <2 x float> @llvm.pow.v2f32(<2 x float>, <2 x float>)

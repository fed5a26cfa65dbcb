; How a quotient is computed that need not be exact.
; RUN: lgc-opt -passes=lgc-decide-rounding %s -o - | FileCheck %s

; CHECK-LABEL: define float @quotient(
; CHECK-NEXT: %[[I:.*]] = call afn float @llvm.amdgcn.rcp.f32(float %b)
; CHECK-NEXT: %[[Q:.*]] = fmul afn float %a, %[[I]]
; CHECK-NEXT: ret float %[[Q]]
define float @quotient(float %a, float %b) {
  %q = fdiv afn float %a, %b
  ret float %q
}

; The product that it becomes is one.
; CHECK-LABEL: define float @sum(
; CHECK-NEXT: %[[I:.*]] = call afn float @llvm.amdgcn.rcp.f32(float %b)
; CHECK-NEXT: %[[S:.*]] = call afn float @llvm.fma.f32(float %a, float %[[I]], float %c)
; CHECK-NEXT: ret float %[[S]]
define float @sum(float %a, float %b, float %c) {
  %q = fdiv afn contract float %a, %b
  %s = fadd afn contract float %q, %c
  ret float %s
}

; CHECK-LABEL: define half @inverse(
; CHECK-NEXT: %[[I:.*]] = call afn half @llvm.amdgcn.rcp.f16(half %a)
; CHECK-NEXT: ret half %[[I]]
define half @inverse(half %a) {
  %q = fdiv afn half 1.0, %a
  ret half %q
}

; CHECK-LABEL: define float @constant(
; CHECK-NEXT: %[[Q:.*]] = fmul afn float %a, 1.250000e-01
; CHECK-NEXT: ret float %[[Q]]
define float @constant(float %a) {
  %q = fdiv afn float %a, 8.0
  ret float %q
}

; 1 / 2^127 is no normal number.
; CHECK-LABEL: define float @large(
; CHECK-NEXT: %[[I:.*]] = call afn float @llvm.amdgcn.rcp.f32(float 0x47E0000000000000)
; CHECK-NEXT: %[[Q:.*]] = fmul afn float %a, %[[I]]
define float @large(float %a) {
  %q = fdiv afn float %a, 0x47E0000000000000
  ret float %q
}

; CHECK-LABEL: define float @root(
; CHECK-NEXT: %[[I:.*]] = call afn float @llvm.amdgcn.rsq.f32(float %a)
; CHECK-NEXT: ret float %[[I]]
define float @root(float %a) {
  %r = call afn contract float @llvm.sqrt.f32(float %a)
  %q = fdiv afn contract float 1.0, %r
  ret float %q
}

; CHECK-LABEL: define float @twice_rounded(
; CHECK-NEXT: %r = call afn float @llvm.sqrt.f32(float %a)
; CHECK-NEXT: %[[I:.*]] = call afn float @llvm.amdgcn.rcp.f32(float %r)
; CHECK-NEXT: ret float %[[I]]
define float @twice_rounded(float %a) {
  %r = call afn float @llvm.sqrt.f32(float %a)
  %q = fdiv afn float 1.0, %r
  ret float %q
}

; CHECK-LABEL: define <2 x float> @elements(
; CHECK: call afn float @llvm.amdgcn.rcp.f32(
; CHECK: call afn float @llvm.amdgcn.rcp.f32(
; CHECK: %[[Q:.*]] = fmul afn <2 x float> %a, %
; CHECK-NEXT: ret <2 x float> %[[Q]]
define <2 x float> @elements(<2 x float> %a, <2 x float> %b) {
  %q = fdiv afn <2 x float> %a, %b
  ret <2 x float> %q
}

; One divisor for all needs one instruction.
; CHECK-LABEL: define <2 x float> @same(
; CHECK: call afn float @llvm.amdgcn.rcp.f32(float %b)
; CHECK-NOT: rcp
; CHECK: %[[Q:.*]] = fmul afn <2 x float> %a, %
; CHECK-NEXT: ret <2 x float> %[[Q]]
define <2 x float> @same(<2 x float> %a, float %b) {
  %v = insertelement <2 x float> poison, float %b, i64 0
  %d = shufflevector <2 x float> %v, <2 x float> poison, <2 x i32> zeroinitializer
  %q = fdiv afn <2 x float> %a, %d
  ret <2 x float> %q
}

; What is exact to some ULP is code generation's.
; CHECK-LABEL: define float @exact(
; CHECK-NEXT: %r = call contract float @llvm.sqrt.f32(float %a)
; CHECK-NEXT: %q = fdiv contract float 1.0{{.*}}, %r, !fpmath
define float @exact(float %a) {
  %r = call contract float @llvm.sqrt.f32(float %a)
  %q = fdiv contract float 1.0, %r, !fpmath !0
  ret float %q
}
declare float @llvm.sqrt.f32(float)
!0 = !{float 2.5}

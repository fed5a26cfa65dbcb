; RUN: lgc-opt -passes=lgc-lower-signs -verify-each %s -o - | FileCheck %s

; CHECK-LABEL: @maxima(
; CHECK-NOT: maxnum
; CHECK: %absolute = call float @llvm.fabs.f32(float %x)
; CHECK: [[A:%.*]] = call float @llvm.fabs.f32(float %x)
; CHECK: [[B:%.*]] = call float @llvm.fabs.f32(float %y)
; CHECK: fadd float [[A]], [[B]]
; CHECK: fadd float {{%.*}}, %x
define float @maxima(float %x, float %y) {
  %absolute = call float @llvm.fabs.f32(float %x)
  %a = call float @llvm.maxnum.f32(float %x, float %absolute)
  %negative = fneg float %y
  %b = call float @llvm.maxnum.f32(float %negative, float %y)
  %least = fneg float %absolute
  %c = call float @llvm.maxnum.f32(float %least, float %x)
  %s = fadd float %a, %b
  %r = fadd float %s, %c
  ret float %r
}

; CHECK-LABEL: @product(
; CHECK: [[P:%.*]] = call float @llvm.fma.f32(float %x, float %y, float -0.000000e+00)
; CHECK: fptrunc float [[P]] to half
define half @product(float %x, float %y) {
  %p = fmul float %x, %y
  %h = fptrunc float %p to half
  ret half %h
}

; CHECK-LABEL: @products(
; CHECK-COUNT-2: call contract float @llvm.fma.f32(
; CHECK: fptrunc <2 x float>
define <2 x half> @products(float %x, float %y) {
  %p = fmul contract float %x, %y
  %q = fmul contract float %y, %y
  %v = insertelement <2 x float> poison, float %p, i32 0
  %w = insertelement <2 x float> %v, float %q, i32 1
  %h = fptrunc <2 x float> %w to <2 x half>
  ret <2 x half> %h
}

; Where signs of zeros do not count, other maxima, other types.
; CHECK-LABEL: @others(
; CHECK-NOT: @llvm.fma
; CHECK: call float @llvm.maxnum.f32(
; CHECK: ret
define float @others(float %x, float %y, double %d) {
  %p = fmul nsz float %x, %y
  %h = fptrunc float %p to half
  %e = fmul double %d, %d
  %t = fptrunc double %e to float
  %m = call float @llvm.maxnum.f32(float %x, float %y)
  %w = fpext half %h to float
  %a = fadd float %w, %t
  %r = fadd float %a, %m
  ret float %r
}

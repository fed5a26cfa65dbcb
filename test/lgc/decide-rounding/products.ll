; A product and a sum that may be rounded as one are, in every form in which the product is an
; operand of the sum, and nothing may be contracted behind it.
; RUN: lgc-opt -passes=lgc-decide-rounding %s -o - | FileCheck %s

; CHECK-LABEL: define float @sum(
; CHECK-NEXT: %[[S:.*]] = call nsz afn float @llvm.fma.f32(float %a, float %b, float %c)
; CHECK-NEXT: ret float %[[S]]
define float @sum(float %a, float %b, float %c) {
  %m = fmul nsz contract afn float %a, %b
  %s = fadd nsz contract afn float %m, %c
  ret float %s
}

; CHECK-LABEL: define float @from(
; CHECK-NEXT: %[[A:.*]] = fneg float %a
; CHECK-NEXT: %[[S:.*]] = call float @llvm.fma.f32(float %[[A]], float %b, float %c)
; CHECK-NEXT: ret float %[[S]]
define float @from(float %a, float %b, float %c) {
  %m = fmul contract float %a, %b
  %s = fsub contract float %c, %m
  ret float %s
}

; CHECK-LABEL: define float @less(
; CHECK-NEXT: %[[C:.*]] = fneg float %c
; CHECK-NEXT: %[[S:.*]] = call float @llvm.fma.f32(float %a, float %b, float %[[C]])
; CHECK-NEXT: ret float %[[S]]
define float @less(float %a, float %b, float %c) {
  %m = fmul contract float %a, %b
  %s = fsub contract float %m, %c
  ret float %s
}

; The sign of a product that is taken from something is changed twice.
; CHECK-LABEL: define float @negated(
; CHECK-NEXT: %[[S:.*]] = call float @llvm.fma.f32(float %a, float %b, float %c)
; CHECK-NEXT: ret float %[[S]]
define float @negated(float %a, float %b, float %c) {
  %m = fmul contract float %a, %b
  %n = fneg contract float %m
  %s = fsub contract float %c, %n
  ret float %s
}

; CHECK-LABEL: define half @element(
; CHECK-NEXT: %[[A:.*]] = extractelement <2 x half> %a, i64 1
; CHECK-NEXT: %[[B:.*]] = extractelement <2 x half> %b, i64 1
; CHECK-NEXT: %[[S:.*]] = call half @llvm.fma.f16(half %[[A]], half %[[B]], half %c)
; CHECK-NEXT: ret half %[[S]]
define half @element(<2 x half> %a, <2 x half> %b, half %c) {
  %m = fmul contract <2 x half> %a, %b
  %e = extractelement <2 x half> %m, i32 1
  %s = fadd contract half %c, %e
  ret half %s
}

; Vectors by elements; what they have been made of is not taken out of them again.
; CHECK-LABEL: define double @vector(
; CHECK: %[[B:.*]] = extractelement <2 x double> %b, i64 1
; CHECK-NEXT: call double @llvm.fma.f64(double %a, double %[[B]], double 2.000000e+00)
define double @vector(double %a, <2 x double> %b) {
  %v = insertelement <2 x double> poison, double %a, i64 0
  %w = insertelement <2 x double> %v, double %a, i64 1
  %m = fmul contract <2 x double> %w, %b
  %s = fadd contract <2 x double> %m, <double 1.0, double 2.0>
  %e = extractelement <2 x double> %s, i64 1
  ret double %e
}

; There are instructions for two halves.
; CHECK-LABEL: define <2 x half> @halves(
; CHECK-NEXT: %[[S:.*]] = call <2 x half> @llvm.fma.v2f16(<2 x half> %a, <2 x half> %b, <2 x half> %c)
; CHECK-NEXT: ret <2 x half> %[[S]]
define <2 x half> @halves(<2 x half> %a, <2 x half> %b, <2 x half> %c) {
  %m = fmul contract <2 x half> %a, %b
  %s = fadd contract <2 x half> %m, %c
  ret <2 x half> %s
}

; CHECK-LABEL: define float @flushed(
; CHECK-NEXT: %[[S:.*]] = call float @llvm.fma.f32(float %a, float %b, float %c)
; CHECK-NEXT: ret float %[[S]]
define float @flushed(float %a, float %b, float %c) {
  %m = fmul contract float %a, %b
  %f = call float @llvm.canonicalize.f32(float %m)
  %s = fadd contract float %c, %f
  ret float %s
}

; Of two products, the one that nobody else needs.
; CHECK-LABEL: define float @other(
; CHECK-NEXT: %[[M:.*]] = fmul float %a, %b
; CHECK-NEXT: %[[S:.*]] = call float @llvm.fma.f32(float %b, float %c, float %[[M]])
; CHECK-NEXT: %[[T:.*]] = fmul float %[[S]], %[[M]]
; CHECK-NEXT: ret float %[[T]]
define float @other(float %a, float %b, float %c) {
  %m = fmul contract float %a, %b
  %n = fmul contract float %b, %c
  %s = fadd contract float %m, %n
  %t = fmul contract float %s, %m
  ret float %t
}

; Each must allow it; and what is in another block may have been taken out of a loop.
; CHECK-LABEL: define float @apart(
; CHECK-NEXT: %m = fmul float %a, %b
; CHECK-NEXT: %n = fmul float %b, %c
; CHECK-NEXT: %s = fadd float %n, %c
; CHECK-NEXT: %o = fmul float %c, %c
; CHECK-NEXT: %t = fadd float %o, %s
; CHECK-NEXT: br label %next
; CHECK: %u = fadd float %m, %t
define float @apart(float %a, float %b, float %c) {
  %m = fmul contract float %a, %b
  %n = fmul float %b, %c
  %s = fadd contract float %n, %c
  %o = fmul contract float %c, %c
  %t = fadd float %o, %s
  br label %next
next:
  %u = fadd contract float %m, %t
  ret float %u
}
declare float @llvm.canonicalize.f32(float)

; Where nobody comes, operands may go in circles.
; CHECK-LABEL: define float @circle(
; CHECK: fadd float %x, %c
define float @circle(float %c) {
  ret float %c
nowhere:
  %x = fneg contract float %x
  %s = fadd contract float %x, %c
  br label %nowhere
}

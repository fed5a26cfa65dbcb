; RUN: lgc-opt -passes=lgc-lower-signs -verify-each %s -o - | FileCheck %s
; Instruction selection takes 0 - x for an operand -x: sums with +0 are hidden from it.

; CHECK-LABEL: @hidden(
; CHECK: [[S:%.*]] = fsub float 0.000000e+00, %x
; CHECK: [[A:%.*]] = call float @llvm.canonicalize.f32(float [[S]])
; CHECK: [[P:%.*]] = fmul float [[A]], %y
; CHECK: [[N:%.*]] = fneg float %y
; CHECK: [[T:%.*]] = fadd float [[N]], 0.000000e+00
; CHECK: [[B:%.*]] = call float @llvm.canonicalize.f32(float [[T]])
; CHECK: [[F:%.*]] = call float @llvm.fma.f32(float [[P]], float -1.000000e+00, float 0.000000e+00)
; CHECK: [[C:%.*]] = call float @llvm.canonicalize.f32(float [[F]])
; CHECK: fmul float [[B]], [[C]]
define float @hidden(float %x, float %y) {
  %s = fsub float 0.0, %x
  %p = fmul float %s, %y
  %n = fneg float %y
  %t = fadd float %n, 0.0
  %f = call float @llvm.fma.f32(float %p, float -1.0, float 0.0)
  %r = fmul float %t, %f
  ret float %r
}

; CHECK-LABEL: @halves(
; CHECK: [[S:%.*]] = fsub <2 x half> <half 0xH3C00, half 0xH0000>, %x
; CHECK: call <2 x half> @llvm.canonicalize.v2f16(<2 x half> [[S]])
define <2 x half> @halves(<2 x half> %x) {
  %s = fsub <2 x half> <half 1.0, half 0.0>, %x
  %r = fmul <2 x half> %s, %s
  ret <2 x half> %r
}

; Where zeros have no signs, -0 - x, which is -x, and other sums.
; CHECK-LABEL: @others(
; CHECK-NOT: canonicalize
; CHECK: ret float
define float @others(float %x, float %y) {
  %s = fsub nsz float 0.0, %x
  %t = fsub float -0.0, %s
  %u = fsub float 1.0, %t
  %v = fadd float %u, -0.0
  %w = fsub float %v, 0.0
  ret float %w
}

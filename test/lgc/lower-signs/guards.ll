; RUN: lgc-opt -passes=lgc-lower-signs -verify-each %s -o - | FileCheck %s

; Operations flush by themselves.
; CHECK-LABEL: @operations(
; CHECK-NOT: canonicalize
; CHECK: ret float
define float @operations(float %x, float %y) {
  %p = fmul float %x, %y
  %q = call float @llvm.canonicalize.f32(float %p)
  %s = fadd float %q, 2.0
  %t = call float @llvm.canonicalize.f32(float %s)
  %f = call float @llvm.fma.f32(float %x, float %y, float %t)
  %g = call float @llvm.canonicalize.f32(float %f)
  %m = call float @llvm.minnum.f32(float %g, float %y)
  %n = call float @llvm.canonicalize.f32(float %m)
  ret float %n
}

; Not what code generation may drop, and not what is no operation.
; CHECK-LABEL: @others(
; CHECK-COUNT-7: call float @llvm.canonicalize.f32(
; CHECK-NOT: call float @llvm.canonicalize.f32(
define float @others(float %x, float %y, i1 %c) {
  %a = fmul float %x, 1.0
  %b = call float @llvm.canonicalize.f32(float %a)
  %d = fadd float %b, 0.0
  %e = call float @llvm.canonicalize.f32(float %d)
  %f = fneg float %e
  %g = call float @llvm.canonicalize.f32(float %f)
  %h = call float @llvm.maxnum.f32(float %g, float %g)
  %i = call float @llvm.canonicalize.f32(float %h)
  %j = select i1 %c, float %i, float %y
  %k = call float @llvm.canonicalize.f32(float %j)
  %l = call float @llvm.fma.f32(float %k, float -1.0, float %y)
  %m = call float @llvm.canonicalize.f32(float %l)
  %n = call float @llvm.minnum.f32(float %m, float 0x36A0000000000000)
  %o = call float @llvm.canonicalize.f32(float %n)
  ret float %o
}

; CHECK-LABEL: @vectors(
; CHECK: [[P:%.*]] = fmul <2 x half> %x, splat (half 0xH4000)
; CHECK: fmul <2 x half> [[P]], <half 0xH4000, half 0xH3C00>
; CHECK: [[C:%.*]] = call <2 x half> @llvm.canonicalize.v2f16(
; CHECK: ret <2 x half> [[C]]
define <2 x half> @vectors(<2 x half> %x) {
  %p = fmul <2 x half> %x, splat (half 2.0)
  %q = call <2 x half> @llvm.canonicalize.v2f16(<2 x half> %p)
  %r = fmul <2 x half> %q, <half 2.0, half 1.0>
  %s = call <2 x half> @llvm.canonicalize.v2f16(<2 x half> %r)
  ret <2 x half> %s
}

; Fences of what is no constant.
; CHECK-LABEL: @fences(
; CHECK: [[C:%.*]] = call float @llvm.arithmetic.fence.f32(float 2.000000e+00)
; CHECK: fmul float %x, [[C]]
; CHECK-NOT: fence
; CHECK: ret float
define float @fences(float %x) {
  %a = call float @llvm.arithmetic.fence.f32(float %x)
  %b = call float @llvm.arithmetic.fence.f32(float 2.0)
  %c = fmul float %a, %b
  %d = call float @llvm.arithmetic.fence.f32(float %c)
  ret float %d
}

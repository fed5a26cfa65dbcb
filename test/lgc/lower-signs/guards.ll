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

; Operands of operations that flush them, wherever they are from; not of constants and of others.
; CHECK-LABEL: @operands(
; CHECK: fcmp ogt float %x, 0.000000e+00
; CHECK: [[Y:%.*]] = call float @llvm.canonicalize.f32(float %y)
; CHECK: fadd float %x, [[Y]]
; CHECK: fneg float [[Y]]
; CHECK: [[C:%.*]] = call float @llvm.canonicalize.f32(float 0x36A0000000000000)
; CHECK: fmul float %x, [[C]]
; CHECK-NOT: canonicalize
; CHECK: ret float
define float @operands(float %x, float %y) {
  %a = call float @llvm.canonicalize.f32(float %x)
  %b = fcmp ogt float %a, 0.0
  call void @use(i1 %b)
  %c = call float @llvm.canonicalize.f32(float %y)
  %d = fadd float %a, %c
  %e = fneg float %c
  call void @use.f32(float %e)
  %f = call float @llvm.canonicalize.f32(float 0x36A0000000000000)
  %g = fmul float %a, %f
  call void @use.f32(float %g)
  ret float %d
}

; Not what code generation may drop, and not what is no operation.
; CHECK-LABEL: @others(
; CHECK-COUNT-7: call float @llvm.canonicalize.f32(
; CHECK-NOT: call float @llvm.canonicalize.f32(
define void @others(float %x, float %y, i1 %c) {
  %a = fmul float %x, 1.0
  %b = call float @llvm.canonicalize.f32(float %a)
  call void @use.f32(float %b)
  %d = fadd float %x, 0.0
  %e = call float @llvm.canonicalize.f32(float %d)
  call void @use.f32(float %e)
  %f = fneg float %x
  %g = call float @llvm.canonicalize.f32(float %f)
  call void @use.f32(float %g)
  %h = call float @llvm.maxnum.f32(float %x, float %x)
  %i = call float @llvm.canonicalize.f32(float %h)
  call void @use.f32(float %i)
  %j = select i1 %c, float %x, float %y
  %k = call float @llvm.canonicalize.f32(float %j)
  call void @use.f32(float %k)
  %l = call float @llvm.fma.f32(float %x, float -1.0, float %y)
  %m = call float @llvm.canonicalize.f32(float %l)
  call void @use.f32(float %m)
  %n = call float @llvm.minnum.f32(float %x, float 0x36A0000000000000)
  %o = call float @llvm.canonicalize.f32(float %n)
  call void @use.f32(float %o)
  ret void
}
declare void @use(i1)
declare void @use.f32(float)

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

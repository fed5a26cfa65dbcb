; What is computed of an exact product, or what that is computed of, is exact, too, where the shader's options say so.
; RUN: lgc-opt -passes=lgc-decide-rounding %s -o - | FileCheck %s

; CHECK-LABEL: define float @no.option(
; CHECK: call float @llvm.fma.f32(float %c, float %d,
define float @no.option(float %a, float %b, float %c, float %d) {
  %p = fmul float %a, %b
  %m = fmul contract float %c, %d
  %s = fadd contract float %m, %p
  ret float %s
}

; CHECK-LABEL: define float @forward(
; CHECK: %m = fmul float %c, %d
; CHECK: %s = fadd float %m, %n
; CHECK: fma
define float @forward(float %a, float %b, float %c, float %d, ptr addrspace(1) %x) "lgc-propagate-no-contract"="forward" {
  %p = fmul float %a, %b
  %n = call contract float @llvm.sqrt.f32(float %p)
  %m = fmul contract float %c, %d
  %s = fadd contract float %m, %n
  %o = fadd contract float %m, %d
  store float %o, ptr addrspace(1) %x
  ret float %s
}

; CHECK-LABEL: define float @backward(
; CHECK: %m = fmul float %c, %d
; CHECK: %s = fadd float %m, %a
; CHECK: %e = fadd float %s, %b
; CHECK: fma
define float @backward(float %a, float %b, float %c, float %d) "lgc-propagate-no-contract"="backward" {
  %m = fmul contract float %c, %d
  %s = fadd contract float %m, %a
  %e = fadd float %s, %b
  %n = fmul contract float %a, %a
  %f = fadd contract float %n, %e
  ret float %f
}
declare float @llvm.sqrt.f32(float)

; RUN: lgc-opt -passes=lgc-lower-calls,lgc-opt-inline-once -verify-each %s -o - | FileCheck %s

; Called twice, with parameters that are copies.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: call float @twice(
; CHECK: call float @twice(
; CHECK: call void @copies(
define void @lgc.shader.CS() {
  %x = load float, ptr addrspace(1) null
  %v = alloca float, align 4, addrspace(5)
  %a = call float @twice(float %x)
  %b = call float @twice(float %a)
  call void @copies(ptr addrspace(5) byval(float) %v)
  ret void
}
define internal float @twice(float %y) {
  %n = fneg float %y
  ret float %n
}
define internal void @copies(ptr addrspace(5) byval(float) %c) {
  store float 1.0, ptr addrspace(5) %c
  ret void
}
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

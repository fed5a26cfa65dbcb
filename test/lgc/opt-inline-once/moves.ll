; RUN: lgc-opt -passes=lgc-lower-calls,lgc-opt-inline-once -verify-each %s -o - | FileCheck %s

; Two ends become one value; variables go to the entry block; what is called by what moves, moves too.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: entry:
; CHECK-NEXT: %v = alloca float, align 4, addrspace(5)
; CHECK-NEXT: %x = load float, ptr addrspace(1) null
; CHECK-NEXT: store float %x, ptr addrspace(5) %v
; CHECK-NEXT: %c = fcmp olt float %x, 0.000000e+00
; CHECK-NEXT: br i1 %c, label %then, label %else
; CHECK: then:
; CHECK-NEXT: %n = fneg float %x
; CHECK-NEXT: br label %[[END:.*]]
; CHECK: else:
; CHECK-NEXT: br label %[[END]]
; CHECK: [[END]]:
; CHECK-NEXT: %[[R:.*]] = phi float [ %n, %then ], [ 1.000000e+00, %else ]
; CHECK-NEXT: store float %[[R]], ptr addrspace(1) null
; CHECK-NOT: define
define void @lgc.shader.CS() {
entry:
  %x = load float, ptr addrspace(1) null
  %a = call float @f(float %x)
  store float %a, ptr addrspace(1) null
  ret void
}
define internal float @f(float %y) {
start:
  %v = alloca float, align 4, addrspace(5)
  store float %y, ptr addrspace(5) %v
  %c = fcmp olt float %y, 0.0
  br i1 %c, label %then, label %else
then:
  %g = call float @g(float %y)
  ret float %g
else:
  ret float 1.0
}
define internal float @g(float %z) {
  %n = fneg float %z
  ret float %n
}
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

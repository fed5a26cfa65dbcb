; RUN: lgc-opt -passes=lgc-lower-calls,lgc-opt-inline-once -verify-each %s -o - | FileCheck %s

; A function of one block goes in front of its call. Where the last block of a function is shorter
; than what follows the call, it is the one that moves; PHIs and what leads there follow.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK-NEXT: entry:
; CHECK-NEXT: %x = load float, ptr addrspace(1) null
; CHECK-NEXT: %s = fneg float %x
; CHECK-NEXT: %p = fcmp olt float %s, 0.000000e+00
; CHECK-NEXT: br i1 %p, label %a, label %last
; CHECK: a:
; CHECK-NEXT: br label %last
; CHECK: last:
; CHECK-NEXT: %m = phi float [ %s, %entry ], [ 2.000000e+00, %a ]
; CHECK-NEXT: store float %m, ptr addrspace(1) null
; CHECK-NEXT: store float %x, ptr addrspace(1) null
; CHECK-NEXT: br i1 %p, label %more, label %end
; CHECK: more:
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK-NEXT: %e = phi float [ %m, %last ], [ %x, %more ]
; CHECK-NEXT: store float %e, ptr addrspace(1) null
; CHECK-NEXT: ret void
; CHECK-NOT: define
define void @lgc.shader.CS() {
entry:
  %x = load float, ptr addrspace(1) null
  %y = call float @block(float %x)
  %p = fcmp olt float %y, 0.0
  %o = call float @f(float %y, i1 %p)
  store float %o, ptr addrspace(1) null
  store float %x, ptr addrspace(1) null
  br i1 %p, label %more, label %end
more:
  br label %end
end:
  %e = phi float [ %o, %entry ], [ %x, %more ]
  store float %e, ptr addrspace(1) null
  ret void
}
define internal float @block(float %y) {
  %s = fneg float %y
  ret float %s
}
define internal float @f(float %y, i1 %p) {
  br i1 %p, label %a, label %last
a:
  br label %last
last:
  %m = phi float [ %y, %0 ], [ 2.0, %a ]
  ret float %m
}
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

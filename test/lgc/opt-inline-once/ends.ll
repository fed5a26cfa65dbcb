; RUN: lgc-opt -passes=lgc-lower-calls,lgc-opt-inline-once -verify-each %s -o - | FileCheck %s

; Blocks behind the call follow the callee's last one: PHIs there know it. A function that never
; returns leaves what is behind its call unreachable, and a value that comes from itself is poison.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: br i1 %p, label %once, label %merge
; CHECK: once:
; CHECK-NEXT: br i1 %p, label %a, label %last
; CHECK: last:
; CHECK-NEXT: %m = phi float [ %x, %once ], [ 2.000000e+00, %a ]
; CHECK-NEXT: br label %merge
; CHECK: merge:
; CHECK-NEXT: %r = phi float [ %x, %{{.*}} ], [ %m, %last ]
; CHECK: store float %r, ptr addrspace(1) null
; CHECK-NEXT: store float %r, ptr addrspace(1) null
; CHECK-NEXT: unreachable
; CHECK: store float poison, ptr addrspace(1) null
; CHECK-NOT: define
define void @lgc.shader.CS() {
  %x = load float, ptr addrspace(1) null
  %p = fcmp olt float %x, 0.0
  br i1 %p, label %once, label %merge
once:
  %o = call float @f(float %x, i1 %p)
  br label %merge
merge:
  %r = phi float [ %x, %0 ], [ %o, %once ]
  store float %r, ptr addrspace(1) null
  call void @never(float %r)
  ret void
dead:
  %s = call float @itself(float %s)
  store float %s, ptr addrspace(1) null
  ret void
}
define internal float @f(float %y, i1 %p) {
  br i1 %p, label %a, label %last
a:
  br label %last
last:
  %m = phi float [ %y, %0 ], [ 2.0, %a ]
  ret float %m
}
define internal void @never(float %y) {
  store float %y, ptr addrspace(1) null
  unreachable
}
define internal float @itself(float %y) {
  ret float %y
}
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

; RUN: lgc-opt -passes='lgc-opt-limit-unroll,loop(loop-unroll-full)' %s -o - | FileCheck %s

; A function that wants no unrolling keeps its loops; its neighbour's loop of three goes.
; CHECK-LABEL: define void @kept(
; CHECK: br i1 {{%.*}}, label %loop, label %exit, !llvm.loop
; CHECK-LABEL: define void @unrolled(
; CHECK-NOT: br i1
; CHECK: ret void
define void @kept(ptr addrspace(1) %p) "lgc-no-unroll" {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define void @unrolled(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

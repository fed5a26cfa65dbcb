; RUN: lgc-opt -passes=lgc-lower-calls,lgc-opt-inline-once -verify-each %s -o - | FileCheck %s

; "tail" says that a call knows no variable of its function. Of the caller's it may know some.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: %v = alloca [8 x i32], align 4, addrspace(5)
; CHECK-NEXT: {{^ *}}call void @llvm.memset.p5.i64(ptr addrspace(5) align 4 %v, i8 0, i64 32, i1 false)
; CHECK-NOT: tail
define void @lgc.shader.CS() {
  %v = alloca [8 x i32], align 4, addrspace(5)
  call void @clear(ptr addrspace(5) %v)
  %x = load i32, ptr addrspace(5) %v
  store i32 %x, ptr addrspace(1) null
  ret void
}
define internal void @clear(ptr addrspace(5) %p) {
  tail call void @llvm.memset.p5.i64(ptr addrspace(5) align 4 %p, i8 0, i64 32, i1 false)
  ret void
}

!lgc.target = !{!0}
!0 = !{!"gfx1100"}

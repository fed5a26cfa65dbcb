; RUN: lgc-opt -passes=lgc-lower-workgroup-globals -verify-each %s -o - | FileCheck %s

; The loop that clears splits the entry block. Allocas behind other instructions stay in it: in a
; later block they would be dynamic ones, with scratch that grows each time.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK-NEXT: %r = alloca i32
; CHECK-NEXT: %i = alloca i32
; CHECK: clear:
; CHECK-NOT: alloca
; CHECK: ret void
@large = internal addrspace(3) global [4000 x i32] zeroinitializer
@input = internal addrspace(5) global i32 poison

define void @lgc.shader.CS() {
  store i32 1, ptr addrspace(5) @input
  %r = alloca i32, addrspace(5)
  store i32 0, ptr addrspace(5) %r
  %i = alloca i32, addrspace(5)
  store i32 0, ptr addrspace(5) %i
  store i32 7, ptr addrspace(3) @large
  ret void
}
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"workgroupSize", i32 64, i32 1, i32 1}

; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck %s

; No instruction for a barrier of a workgroup that is one wave.
; CHECK-NOT: s_barrier
; CHECK: s_endpgm
define void @lgc.shader.CS() {
  call void @lgc.control.barrier__void_i32(i32 1)
  ret void
}
declare void @lgc.control.barrier__void_i32(i32)
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"workgroupSize", i32 8, i32 8, i32 1}

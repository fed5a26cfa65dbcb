; RUN: not lgc-opt -passes=lgc-lower-barriers %s -o - 2>&1 | FileCheck %s
; CHECK: lgc-opt: invalid input: control barrier of a scope wider than the workgroup
define void @lgc.shader.CS() {
  call void @lgc.control.barrier__void_i32(i32 2)
  ret void
}
declare void @lgc.control.barrier__void_i32(i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

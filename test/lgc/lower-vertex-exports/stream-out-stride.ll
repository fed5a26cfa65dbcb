; RUN: not lgc-opt -mcpu=gfx1030 -passes=lgc-lower-vertex-exports %s -o - 2>&1 | FileCheck %s
; RUN: not lgc-opt -mcpu=gfx1201 -passes=lgc-lower-vertex-exports %s -o - 2>&1 | FileCheck %s
; CHECK: lgc-opt: unsupported: transform feedback buffer 2 with a stride of 6 bytes, no multiple of 4
define void @lgc.shader.VS() {
  ret void
}
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{!"xfb.enabled", i32 1}
!3 = !{!"xfb.strides", i32 0, i32 0, i32 6, i32 0}

; RUN: lgc-opt -passes=lgc-lower-vertex-builtins %s -o - | FileCheck %s
; Without multiview the view is 0 and takes no user data.
; CHECK: store volatile i32 0
define void @lgc.shader.VS() {
  %view = call i32 @lgc.builtin__i32_i32(i32 21)
  store volatile i32 %view, ptr addrspace(1) null
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}

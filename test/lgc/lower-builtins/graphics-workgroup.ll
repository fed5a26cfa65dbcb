; RUN: not lgc-opt -passes=lgc-lower-builtins %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: lgc-opt: invalid input: vertex shader reads a built-in of workgroups (number 5)
define void @lgc.shader.VS() {
  %id = call i32 @lgc.builtin__i32_i32(i32 5)
  store volatile i32 %id, ptr addrspace(3) null
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}

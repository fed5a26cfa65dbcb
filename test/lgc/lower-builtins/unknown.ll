; RUN: not lgc-opt -passes=lgc-lower-builtins %s -o - 2>&1 | FileCheck %s
; CHECK: lgc-opt: internal error: lgc.builtin 99: unknown number or wrong type
; CHECK: lgc-opt: internal error: lgc.builtin 3: unknown number or wrong type
define void @lgc.shader.CS() {
  %a = call i32 @lgc.builtin__i32_i32(i32 99)
  store volatile i32 %a, ptr addrspace(1) null
  %b = call <3 x i32> @lgc.builtin__v3i32_i32(i32 3)
  store volatile <3 x i32> %b, ptr addrspace(1) null
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

; RUN: not lgc-opt -passes=lgc-lower-entry-point %s -o - 2>&1 | FileCheck %s
; CHECK: lgc-opt: limit exceeded: user data dword 160 is read, the limit is 160
define void @lgc.shader.CS() {
  %a = call <2 x i32> @lgc.user.data__v2i32_i32(i32 159)
  store volatile <2 x i32> %a, ptr addrspace(1) null
  ret void
}
declare <2 x i32> @lgc.user.data__v2i32_i32(i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

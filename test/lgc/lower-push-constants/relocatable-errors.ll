; RUN: not lgc-opt -passes=lgc-lower-push-constants %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: unsupported: part: push constants behind a pointer in user data (IndirectUserDataVaPtr)
define void @lgc.shader.CS() {
  %p = call ptr addrspace(4) @lgc.push.const__p4()
  %a = load volatile float, ptr addrspace(4) %p
  ret void
}
declare ptr addrspace(4) @lgc.push.const__p4() memory(none)

!lgc.target = !{!0}
!lgc.part = !{!3}
!lgc.user.data = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"IndirectUserDataVaPtr", i32 1, i32 10, i32 0, i32 0, i32 0, !2}
!2 = !{!"PushConst", i32 4, i32 0, i32 0, i32 0, i32 0}
!3 = !{!"relocatable", i32 1}

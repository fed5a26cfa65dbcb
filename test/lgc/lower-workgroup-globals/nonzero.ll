; RUN: not lgc-opt -passes=lgc-lower-workgroup-globals %s -o - 2>&1 | FileCheck %s
; CHECK: lgc-opt: internal error: workgroup variable 'v' has an initializer other than zero
@v = internal addrspace(3) global i32 1
define void @lgc.shader.CS() {
  store i32 7, ptr addrspace(3) @v
  ret void
}
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

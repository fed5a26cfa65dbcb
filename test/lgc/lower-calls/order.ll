; RUN: lgc-opt -passes=lgc-lower-calls %s -o - | FileCheck %s

; Callers stand in front of what they call, however they are written: always-inline goes through the
; module in its order, and then copies each body once for each place where it stays. In the order of
; a front end, callees first, a chain of functions would be copied again for each of its callers.
; Entry functions keep their places.
; CHECK: define void @lgc.shader.VS()
; CHECK: define void @lgc.shader.FS()
; CHECK: define internal void @top()
; CHECK: define internal void @middle()
; CHECK: define internal void @low()
; CHECK: define internal void @leaf()
define internal void @leaf() {
  store volatile i32 1, ptr addrspace(1) null
  ret void
}
define internal void @low() {
  call void @leaf()
  ret void
}
define internal void @middle() {
  call void @leaf()
  call void @low()
  ret void
}
define internal void @top() {
  call void @low()
  call void @middle()
  call void @leaf()
  ret void
}
define void @lgc.shader.VS() {
  call void @low()
  ret void
}
define void @lgc.shader.FS() {
  call void @leaf()
  call void @top()
  ret void
}
!lgc.graphics = !{!0}
!0 = !{!"stages", !"vertex", !"fragment"}

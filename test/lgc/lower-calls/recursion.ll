; RUN: not lgc-opt -passes=lgc-lower-calls %s -o - 2>&1 | FileCheck %s
; CHECK: lgc-opt: invalid input: function 'f' calls itself
define void @lgc.shader.CS() {
  call void @f()
  ret void
}
define internal void @f() {
  call void @g()
  ret void
}
define internal void @g() {
  call void @f()
  ret void
}

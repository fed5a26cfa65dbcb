; RUN: not lgc-opt -passes=lgc-verify-ops %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: internal error: unknown lgc operation 'lgc.no.such.op'
define void @lgc.shader.CS() {
  call void @lgc.no.such.op()
  ret void
}
declare void @lgc.no.such.op()

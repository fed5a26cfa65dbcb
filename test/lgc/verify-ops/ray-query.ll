; RUN: not lgc-opt -passes=lgc-verify-ops %s -o /dev/null 2>&1 | FileCheck %s
; A query is private memory.
; CHECK: internal error: lgc.ray.query.proceed: operand 0 is not 'p5' in
define i1 @lgc.shader.CS(ptr addrspace(1) %q) {
  %more = call i1 @lgc.ray.query.proceed__i1_p1(ptr addrspace(1) %q)
  ret i1 %more
}
declare i1 @lgc.ray.query.proceed__i1_p1(ptr addrspace(1))

; RUN: lgc-opt -passes=lgc-lower-arithmetic -verify-each %s -o - | FileCheck %s
; Subgroup scope: cycles of the core; device scope: the constant-rate counter.
; CHECK: call i64 @llvm.readcyclecounter()
; CHECK: call i64 @llvm.readsteadycounter()
define void @lgc.shader.CS() {
  %s = call i64 @lgc.shader.clock__i64_i32(i32 0)
  store volatile i64 %s, ptr addrspace(1) null
  %d = call i64 @lgc.shader.clock__i64_i32(i32 2)
  store volatile i64 %d, ptr addrspace(1) null
  ret void
}
declare i64 @lgc.shader.clock__i64_i32(i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

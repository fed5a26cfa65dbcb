; RUN: lgc-opt -passes='function(early-cse,gvn,simplifycfg),lgc-lower-reconverge,function(early-cse,gvn,simplifycfg)' %s -o - | FileCheck %s
; Behind a branch on one condition the next one is as unknown: both loops stay closed.
; CHECK: call i64 @llvm.amdgcn.s.getpc()
; CHECK: icmp ne i64 {{.*}}, [[#FIRST:]]
; CHECK-NEXT: br i1
; CHECK: icmp ne i64 {{.*}}, [[#1 - FIRST]]
; CHECK-NEXT: br i1
define void @lgc.shader.CS() {
  br label %loop
loop:
  store volatile i32 0, ptr addrspace(1) null
  %t = call i1 @lgc.reconverge.true__i1()
  br i1 %t, label %next, label %loop
next:
  store volatile i32 1, ptr addrspace(1) null
  %u = call i1 @lgc.reconverge.true__i1()
  br i1 %u, label %done, label %next
done:
  ret void
}
declare i1 @lgc.reconverge.true__i1() memory(inaccessiblemem: readwrite)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

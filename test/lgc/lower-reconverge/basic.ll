; RUN: lgc-opt -passes=lgc-lower-reconverge,early-cse %s -o - | FileCheck %s
; RUN: lgc-opt -passes=lgc-lower-reconverge,instcombine,simplifycfg %s -o - | FileCheck --check-prefix=KEPT %s
; CHECK: [[PC:%.*]] = call i64 @llvm.amdgcn.s.getpc()
; CHECK: [[TRUE:%.*]] = icmp ne i64 [[PC]], 0
; CHECK: br i1 [[TRUE]], label %done, label %loop
; KEPT: br i1
define void @lgc.shader.CS() {
  br label %loop
loop:
  store volatile i32 0, ptr addrspace(1) null
  %t = call i1 @lgc.reconverge.true__i1()
  br i1 %t, label %done, label %loop
done:
  ret void
}
declare i1 @lgc.reconverge.true__i1()
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

; Code generation takes two back edges for two loops; the lanes of the outer one would wait for all
; others. One latch, which is more than a branch, keeps the loop whole.
; RUN: lgc-opt -passes=lgc-lower-reconverge %s -o - | FileCheck %s
; CHECK-LABEL: define void @lgc.shader.CS(
; CHECK: [[LATCH:.*lanes]]:
; CHECK-NEXT: call void @llvm.amdgcn.wave.barrier()
; CHECK-NEXT: br label %loop
; CHECK: br i1 %c, label %leave, label %[[LATCH]]
; CHECK: leave:
; CHECK: br i1 %{{.*}}, label %done, label %[[LATCH]]
define void @lgc.shader.CS(i1 %c) {
  br label %loop
loop:
  br i1 %c, label %leave, label %loop
leave:
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 0)
  %t = call i1 @lgc.reconverge.true__i1()
  br i1 %t, label %done, label %loop
done:
  ret void
}
; A latch that is there already, but empty.
; CHECK-LABEL: define void @emptyLatch(
; CHECK: latch:
; CHECK-NEXT: call void @llvm.amdgcn.wave.barrier()
define void @emptyLatch(i1 %c, i1 %d) {
  br label %loop
loop:
  br i1 %c, label %leave, label %latch
leave:
  %mask = call i32 @llvm.amdgcn.ballot.i32(i1 %d)
  br i1 %d, label %done, label %latch
latch:
  br label %loop
done:
  ret void
}
; Without lane operations, loops stay as they are.
; CHECK-LABEL: define void @plain(
; CHECK-NOT: wave.barrier
; CHECK: declare
define void @plain(i1 %c, i1 %d) {
  br label %loop
loop:
  br i1 %c, label %leave, label %loop
leave:
  br i1 %d, label %done, label %loop
done:
  ret void
}
declare i1 @lgc.reconverge.true__i1()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @llvm.amdgcn.ballot.i32(i1)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

; Loops without private arrays get our threshold, hinted ones a larger one; a loop over a small
; private array and a loop that must not be unrolled keep what they have; over one of 33 to
; 64 dwords the threshold is higher than LLVM's.
; RUN: lgc-opt -passes=lgc-opt-limit-unroll %s -o - | FileCheck %s

target triple = "amdgcn-amd-amdpal"

; CHECK-LABEL: define void @plain(
; CHECK: br i1 %c, label %loop, label %exit, !llvm.loop [[PLAIN:![0-9]+]]
define void @plain(ptr addrspace(3) %p) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %n, %loop ]
  store i32 %i, ptr addrspace(3) %p
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 64
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @hinted(
; CHECK: br i1 %c, label %loop, label %exit, !llvm.loop [[HINTED:![0-9]+]]
define void @hinted(ptr addrspace(3) %p) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %n, %loop ]
  store i32 %i, ptr addrspace(3) %p
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 64
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @array(
; CHECK: br i1 %c, label %loop, label %exit{{$}}
define void @array() {
  %a = alloca [32 x i32], addrspace(5)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %n, %loop ]
  %q = getelementptr i32, ptr addrspace(5) %a, i32 %i
  store i32 %i, ptr addrspace(5) %q
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 32
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @largeArray(
; CHECK: br i1 %c, label %loop, label %exit, !llvm.loop [[LARGE:![0-9]+]]
define void @largeArray() {
  %a = alloca [64 x i32], addrspace(5)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %n, %loop ]
  %q = getelementptr i32, ptr addrspace(5) %a, i32 %i
  store i32 %i, ptr addrspace(5) %q
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 64
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @forbidden(
; CHECK: br i1 %c, label %loop, label %exit, !llvm.loop [[FORBIDDEN:![0-9]+]]
define void @forbidden(ptr addrspace(3) %p) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %n, %loop ]
  store i32 %i, ptr addrspace(3) %p
  %n = add i32 %i, 1
  %c = icmp ult i32 %n, 64
  br i1 %c, label %loop, label %exit, !llvm.loop !2
exit:
  ret void
}

; A hint around another loop and a barrier is dropped.
; CHECK-LABEL: define void @barriers(
; CHECK: br i1 %again, label %inner, label %latch, !llvm.loop
; CHECK: br i1 %more, label %outer, label %exit, !llvm.loop [[BARRIERS:![0-9]+]]
define void @barriers(i32 %n, i32 %m) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %step, %inner ]
  call void @llvm.amdgcn.s.barrier()
  %step = add i32 %j, 1
  %again = icmp ult i32 %step, %m
  br i1 %again, label %inner, label %latch, !llvm.loop !0
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %outer, label %exit, !llvm.loop !4
exit:
  ret void
}

; CHECK-DAG: [[BARRIERS]] = distinct !{[[BARRIERS]], [[T100:![0-9]+]]}
; CHECK-DAG: [[T100]] = !{!"amdgpu.loop.unroll.threshold", i32 100}
; CHECK-DAG: [[PLAIN]] = distinct !{[[PLAIN]], [[T300:![0-9]+]]}
; CHECK-DAG: [[T300]] = !{!"amdgpu.loop.unroll.threshold", i32 300}
; CHECK-DAG: [[HINTED]] = distinct !{[[HINTED]], [[T1000:![0-9]+]]}
; CHECK-DAG: [[T1000]] = !{!"amdgpu.loop.unroll.threshold", i32 1000}
; CHECK-DAG: [[LARGE]] = distinct !{[[LARGE]], [[T4000:![0-9]+]]}
; CHECK-DAG: [[T4000]] = !{!"amdgpu.loop.unroll.threshold", i32 4000}
; CHECK-DAG: [[FORBIDDEN]] = distinct !{[[FORBIDDEN]], [[NONE:![0-9]+]]}
; CHECK-DAG: [[NONE]] = !{!"llvm.loop.unroll.disable"}

declare void @llvm.amdgcn.s.barrier()

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.enable"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.disable"}
!4 = distinct !{!4, !1}

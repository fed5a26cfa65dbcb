; RUN: lgc-opt -passes=lgc-lower-waterfall -verify-each %s -o - | FileCheck %s

; An index that is the same for all lanes of a round, used behind a loop: where lanes leave one by one it differs between them,
; whatever the load was promised; where they leave together one readfirstlane is enough, as it is inside of the loop.

; CHECK-LABEL: define amdgpu_cs void @left_one_by_one(
; CHECK: left:
; CHECK: waterfall:
; CHECK: call i32 @llvm.amdgcn.readfirstlane.i32(
define amdgpu_cs void @left_one_by_one(ptr addrspace(4) inreg %table, i32 %n) {
  br label %round
round:
  %k = phi i32 [ 0, %0 ], [ %next, %round ]
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %round, label %left
left:
  %bytes = shl i32 %k, 5
  %g = getelementptr i8, ptr addrspace(4) %table, i32 %bytes
  %d = load <8 x i32>, ptr addrspace(4) %g, !invariant.load !0, !lgc.uniform !0
  %v = call float @llvm.amdgcn.image.load.2d.f32.i32.v8i32(i32 1, i32 0, i32 0, <8 x i32> %d, i32 0, i32 0)
  call void @llvm.amdgcn.exp.f32(i32 0, i32 1, float %v, float poison, float poison, float poison, i1 true, i1 true)
  ret void
}

; CHECK-LABEL: define amdgpu_cs void @left_together(
; CHECK-NOT: waterfall
; CHECK: left:
; CHECK-NOT: waterfall
; CHECK: call i32 @llvm.amdgcn.readfirstlane.i32(
; CHECK-NOT: waterfall
; CHECK: ret void
define amdgpu_cs void @left_together(ptr addrspace(4) inreg %table, i32 inreg %n, i32 %step) {
  br label %round
round:
  %i = phi i32 [ 0, %0 ], [ %inext, %round ]
  %k = phi i32 [ 0, %0 ], [ %next, %round ]
  %next = add i32 %k, %step
  %inext = add i32 %i, 1
  %more = icmp ult i32 %inext, %n
  br i1 %more, label %round, label %left
left:
  %bytes = shl i32 %k, 5
  %g = getelementptr i8, ptr addrspace(4) %table, i32 %bytes
  %d = load <8 x i32>, ptr addrspace(4) %g, !invariant.load !0, !lgc.uniform !0
  %v = call float @llvm.amdgcn.image.load.2d.f32.i32.v8i32(i32 1, i32 0, i32 0, <8 x i32> %d, i32 0, i32 0)
  call void @llvm.amdgcn.exp.f32(i32 0, i32 1, float %v, float poison, float poison, float poison, i1 true, i1 true)
  ret void
}

declare float @llvm.amdgcn.image.load.2d.f32.i32.v8i32(i32 immarg, i32, i32, <8 x i32>, i32 immarg, i32 immarg)
declare void @llvm.amdgcn.exp.f32(i32 immarg, i32 immarg, float, float, float, float, i1 immarg, i1 immarg)
!0 = !{}

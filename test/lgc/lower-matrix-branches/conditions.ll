; RUN: lgc-opt -passes=lgc-lower-matrix-branches -verify-each %s -o - | FileCheck %s
; What decides whether a matrix instruction runs is made uniform: the inner branch, the one around it, and the switch.
; Branches that only decide about other things stay, and so do uniform ones.
; CHECK-LABEL: define amdgpu_cs void @main
define amdgpu_cs void @main(i32 %lane, i32 inreg %uniform, <16 x half> %a, <8 x float> %c, ptr addrspace(1) %out) "target-cpu"="gfx1100" {
entry:
  %outer = icmp ult i32 %lane, 100
; CHECK: [[W:%.*]] = zext i1 %outer to i32
; CHECK: [[F:%.*]] = call i32 @llvm.amdgcn.readfirstlane.i32(i32 [[W]])
; CHECK: [[C:%.*]] = icmp ne i32 [[F]], 0
; CHECK: br i1 [[C]], label %first, label %end
  br i1 %outer, label %first, label %end
first:
; CHECK: [[S:%.*]] = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %lane)
; CHECK: switch i32 [[S]], label %store
  switch i32 %lane, label %store [ i32 3, label %multiply
                                   i32 4, label %scalar ]
scalar:
  %u = icmp eq i32 %uniform, 7
; CHECK: br i1 %u, label %multiply, label %store
  br i1 %u, label %multiply, label %store
multiply:
  %d = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half> %a, <16 x half> %a, <8 x float> %c)
  br label %store
store:
  %r = phi <8 x float> [ %c, %first ], [ %c, %scalar ], [ %d, %multiply ]
  %only = icmp eq i32 %lane, 0
; CHECK: br i1 %only, label %write, label %end
  br i1 %only, label %write, label %end
write:
  store <8 x float> %r, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(<16 x half>, <16 x half>, <8 x float>)

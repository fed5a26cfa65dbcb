; RUN: lgc-opt -passes=lgc-lower-large-values -verify-each %s -o - | FileCheck %s

; Constants keep the alignment of what they are stored to, and that they are volatile.
; CHECK-LABEL: define amdgpu_cs void @constants(
; CHECK: call void @llvm.memset.p5.i64(ptr addrspace(5) align 8 [[ZEROS:%.*]], i8 0, i64 8000, i1 false)
; CHECK: call void @llvm.memset.p1.i64(ptr addrspace(1) align 4 %p, i8 0, i64 8000, i1 false)
; CHECK: call void @llvm.memcpy.p1.p5.i64(ptr addrspace(1) align 4 %p, ptr addrspace(5) align 4 [[ZEROS]], i64 8000, i1 true)
define amdgpu_cs void @constants(ptr addrspace(1) inreg %p) {
  store [1000 x i64] zeroinitializer, ptr addrspace(1) %p, align 4
  store volatile [1000 x i64] zeroinitializer, ptr addrspace(1) %p, align 4
  ret void
}

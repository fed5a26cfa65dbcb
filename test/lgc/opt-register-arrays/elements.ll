; RUN: lgc-opt -passes=lgc-opt-register-arrays -verify-each %s -o - | FileCheck %s

; A load chooses among the elements, a store writes each with its new value or its old one; an offset goes with the index.
; CHECK-LABEL: define i32 @choose(
; CHECK-NOT: alloca
; CHECK-DAG: [[HERE0:%.*]] = icmp eq i32 %i, 0
; CHECK-DAG: [[HERE1:%.*]] = icmp eq i32 %i, 1
; CHECK-DAG: [[NEW0:%.*]] = select i1 [[HERE0]], i32 %x, i32 1
; CHECK-DAG: [[NEW1:%.*]] = select i1 [[HERE1]], i32 %x, i32 2
; CHECK: [[NEXT1:%.*]] = icmp eq i32 %i, 0
; CHECK: [[READ:%.*]] = select i1 [[NEXT1]], i32 [[NEW1]], i32 [[NEW0]]
; CHECK: ret i32 [[READ]]
define i32 @choose(i32 %i, i32 %x) {
  %a = alloca [2 x i32], addrspace(5)
  store i32 1, ptr addrspace(5) %a
  %a1 = getelementptr i8, ptr addrspace(5) %a, i32 4
  store i32 2, ptr addrspace(5) %a1
  %p = getelementptr i32, ptr addrspace(5) %a, i32 %i
  store i32 %x, ptr addrspace(5) %p
  %q = getelementptr i8, ptr addrspace(5) %p, i32 4
  %r = load i32, ptr addrspace(5) %q
  ret i32 %r
}

; A vector that is stored whole, and one that is an element.
; CHECK-LABEL: define float @vectors(
; CHECK-NOT: alloca
; CHECK: select
; CHECK: ret float
define float @vectors(i32 %i, <4 x float> %v) {
  %a = alloca <4 x i32>, addrspace(5)
  store <4 x float> %v, ptr addrspace(5) %a
  %p = getelementptr i32, ptr addrspace(5) %a, i32 %i
  %r = load float, ptr addrspace(5) %p
  %e = alloca [5 x <4 x float>], addrspace(5)
  %q = getelementptr <4 x float>, ptr addrspace(5) %e, i32 %i
  store <4 x float> %v, ptr addrspace(5) %q
  %l = load <4 x float>, ptr addrspace(5) %e
  %x = extractelement <4 x float> %l, i32 0
  %s = fadd float %r, %x
  ret float %s
}

; What escapes, what is volatile, what has two indices or another stride, and what is large stay.
; CHECK-LABEL: define void @stays(
; CHECK: alloca [2 x i32]
; CHECK: alloca [3 x i32]
; CHECK: alloca [2 x [2 x i32]]
; CHECK: alloca [9 x i32]
; CHECK: alloca [4 x i16]
define void @stays(i32 %i, i32 %j, i32 %x) {
  %a = alloca [2 x i32], addrspace(5)
  %pa = getelementptr i32, ptr addrspace(5) %a, i32 %i
  store i32 %x, ptr addrspace(5) %pa
  %asInt = ptrtoint ptr addrspace(5) %a to i32
  store i32 %asInt, ptr addrspace(1) null
  %b = alloca [3 x i32], addrspace(5)
  %pb = getelementptr i32, ptr addrspace(5) %b, i32 %i
  store volatile i32 %x, ptr addrspace(5) %pb
  %c = alloca [2 x [2 x i32]], addrspace(5)
  %pc = getelementptr [2 x [2 x i32]], ptr addrspace(5) %c, i32 0, i32 %i, i32 %j
  store i32 %x, ptr addrspace(5) %pc
  %d = alloca [9 x i32], addrspace(5)
  %pd = getelementptr i32, ptr addrspace(5) %d, i32 %i
  store i32 %x, ptr addrspace(5) %pd
  %e = alloca [4 x i16], addrspace(5)
  %pe = getelementptr i16, ptr addrspace(5) %e, i32 %i
  store i16 7, ptr addrspace(5) %pe
  ret void
}
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

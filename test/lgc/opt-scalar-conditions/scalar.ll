; RUN: lgc-opt -passes=lgc-opt-scalar-conditions -verify-each %s -o - | FileCheck %s
; A comparison that all lanes have in common is where a branch or a selection reads it.
target triple = "amdgcn-amd-amdpal"

; CHECK-LABEL: define amdgpu_cs void @uniform(
; CHECK: b:
; CHECK-NEXT: [[COPY:%.*]] = icmp eq i32 %n, 2
; CHECK-NEXT: select i1 [[COPY]]
; CHECK: br i1 [[COPY]]
define amdgpu_cs void @uniform(i32 inreg %n, i1 inreg %c, ptr addrspace(1) inreg %p) {
a:
  %is = icmp eq i32 %n, 2
  br i1 %c, label %b, label %d
b:
  %x = select i1 %is, i32 5, i32 7
  store i32 %x, ptr addrspace(1) %p
  br i1 %is, label %e, label %d
e:
  store i32 1, ptr addrspace(1) %p
  br label %d
d:
  ret void
}

; CHECK-LABEL: define amdgpu_cs void @divergent(
; CHECK: b:
; CHECK-NEXT: br i1 %is
define amdgpu_cs void @divergent(i32 %n, i1 inreg %c, ptr addrspace(1) inreg %p) {
a:
  %is = icmp eq i32 %n, 2
  br i1 %c, label %b, label %d
b:
  br i1 %is, label %e, label %d
e:
  store i32 1, ptr addrspace(1) %p
  br label %d
d:
  ret void
}

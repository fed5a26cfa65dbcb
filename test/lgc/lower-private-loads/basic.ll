; RUN: lgc-opt -passes=lgc-lower-private-loads -verify-each %s -o - | FileCheck %s

target datalayout = "A5-p5:32:32"

; What indexes another variable, and what is stored to one.
; CHECK-LABEL: @indices(
; CHECK: [[I:%.*]] = load i32, ptr addrspace(5) %p
; CHECK-NEXT: [[F:%.*]] = freeze i32 [[I]]
; CHECK: getelementptr [4 x i32], ptr addrspace(5) %v, i32 0, i32 [[F]]
; CHECK: store i32 [[F]], ptr addrspace(5)
; CHECK: add i32 [[I]], 1
define i32 @indices(i32 %n) {
  %q = alloca [4 x i32], addrspace(5)
  %v = alloca [4 x i32], addrspace(5)
  %p = getelementptr [4 x i32], ptr addrspace(5) %q, i32 0, i32 %n
  %i = load i32, ptr addrspace(5) %p
  %at = getelementptr [4 x i32], ptr addrspace(5) %v, i32 0, i32 %i
  store i32 %i, ptr addrspace(5) %at
  %r = add i32 %i, 1
  ret i32 %r
}

; Other memory, and other uses.
; CHECK-LABEL: @others(
; CHECK-NOT: freeze
; CHECK: ret
define i32 @others(ptr addrspace(1) %g, i32 %n) {
  %v = alloca [4 x i32], addrspace(5)
  %i = load i32, ptr addrspace(1) %g
  %at = getelementptr [4 x i32], ptr addrspace(5) %v, i32 0, i32 %i
  store i32 %i, ptr addrspace(5) %at
  %p = getelementptr [4 x i32], ptr addrspace(5) %v, i32 0, i32 %n
  %l = load i32, ptr addrspace(5) %p
  store i32 %l, ptr addrspace(1) %g
  %r = mul i32 %l, %i
  ret i32 %r
}

; Halves and bytes, whatever they are used for.
; CHECK-LABEL: @parts(
; CHECK: [[H:%.*]] = load half, ptr addrspace(5) %p
; CHECK-NEXT: [[F:%.*]] = freeze half [[H]]
; CHECK: insertelement <2 x half> poison, half [[F]], i32 0
; CHECK: load <2 x half>, ptr addrspace(5)
; CHECK-NEXT: freeze
define <2 x half> @parts(ptr addrspace(5) %p) {
  %h = load half, ptr addrspace(5) %p
  %v = insertelement <2 x half> poison, half %h, i32 0
  %q = getelementptr half, ptr addrspace(5) %p, i32 1
  %l = load <2 x half>, ptr addrspace(5) %q, align 2
  %r = fadd <2 x half> %v, %l
  ret <2 x half> %r
}

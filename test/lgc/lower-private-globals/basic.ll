; RUN: lgc-opt -passes=lgc-lower-private-globals -verify-each %s -o - | FileCheck %s

; Each variable becomes an alloca, stores of initializers stand behind all allocas.
; CHECK-NOT: addrspace(5) global
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK-NEXT: %table = alloca [4 x i32], align 4, addrspace(5)
; CHECK-NEXT: %plain = alloca [2 x float], align 4, addrspace(5)
; CHECK-NEXT: %x = alloca i32, align 4, addrspace(5)
; CHECK-NEXT: store [4 x i32] [i32 1, i32 2, i32 3, i32 4], ptr addrspace(5) %table
; CHECK-NEXT: [[ELEMENT:%.*]] = getelementptr i8, ptr addrspace(5) %table, i32 8
; CHECK-NEXT: load i32, ptr addrspace(5) [[ELEMENT]]
; CHECK: store float 0.0{{.*}}, ptr addrspace(5) %plain
@table = internal addrspace(5) global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@plain = internal addrspace(5) global [2 x float] undef
@unused = internal addrspace(5) global i32 3

define void @lgc.shader.CS() {
  %x = alloca i32, addrspace(5)
  %v = load i32, ptr addrspace(5) getelementptr (i8, ptr addrspace(5) @table, i32 8)
  store i32 %v, ptr addrspace(5) %x
  store float 0.0, ptr addrspace(5) @plain
  ret void
}

; RUN: lgc-opt -passes=lgc-lower-large-values -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1100 %s -o - | FileCheck %s --check-prefix=ASM

; Values of long arrays live in memory; what is short stays a value.
; CHECK-LABEL: define void @lgc.shader.CS()
; Loaded to be stored: one copy.
; CHECK: call void @llvm.memcpy.p5.p5.i64(ptr addrspace(5) align 4 %b, ptr addrspace(5) align 4 %a, i64 4000, i1 false)
; An insertion into what nobody else uses happens in its place, and so does the next one.
; CHECK: call void @llvm.memcpy.p5.p5.i64(ptr addrspace(5) align 4 [[SLOT:%.*]], ptr addrspace(5) align 4 %a, i64 4000, i1 false)
; CHECK: [[SEVEN:%.*]] = getelementptr inbounds [1000 x i32], ptr addrspace(5) [[SLOT]], i32 0, i32 7
; CHECK-NEXT: store i32 5, ptr addrspace(5) [[SEVEN]]
; CHECK: [[EIGHT:%.*]] = getelementptr inbounds [1000 x i32], ptr addrspace(5) [[SLOT]], i32 0, i32 8
; CHECK-NEXT: store i32 6, ptr addrspace(5) [[EIGHT]]
; CHECK: call void @llvm.memcpy.p5.p5.i64(ptr addrspace(5) align 4 %b, ptr addrspace(5) align 4 [[SLOT]], i64 4000, i1 false)
; One that is used again is copied first.
; CHECK: call void @llvm.memcpy.p5.p5.i64(ptr addrspace(5) align 4 [[OLD:%.*]], ptr addrspace(5) align 4 %b, i64 4000, i1 false)
; CHECK: call void @llvm.memcpy.p5.p5.i64(ptr addrspace(5) align 4 [[NEW:%.*]], ptr addrspace(5) align 4 [[OLD]], i64 4000, i1 false)
; CHECK: getelementptr inbounds [1000 x i32], ptr addrspace(5) [[NEW]], i32 0, i32 9
; CHECK: getelementptr inbounds [1000 x i32], ptr addrspace(5) [[OLD]], i32 0, i32 9
; CHECK: call void @llvm.memset.p5.i64(ptr addrspace(5) align 4 %b, i8 0, i64 4000, i1 false)
; CHECK: load [4 x i32], ptr addrspace(5) %a
; CHECK: extractvalue [4 x i32]
; ASM: s_cbranch
define void @lgc.shader.CS() {
  %a = alloca [1000 x i32], addrspace(5)
  %b = alloca [1000 x i32], addrspace(5)
  %moved = load [1000 x i32], ptr addrspace(5) %a
  store [1000 x i32] %moved, ptr addrspace(5) %b
  %v = load [1000 x i32], ptr addrspace(5) %a
  %w = insertvalue [1000 x i32] %v, i32 5, 7
  %x = insertvalue [1000 x i32] %w, i32 6, 8
  store [1000 x i32] %x, ptr addrspace(5) %b
  %old = load [1000 x i32], ptr addrspace(5) %b
  %new = insertvalue [1000 x i32] %old, i32 6, 9
  store volatile [1000 x i32] %new, ptr addrspace(5) %a
  %e = extractvalue [1000 x i32] %old, 9
  store volatile i32 %e, ptr addrspace(5) %a
  store [1000 x i32] zeroinitializer, ptr addrspace(5) %b
  %small = load [4 x i32], ptr addrspace(5) %a
  %s = extractvalue [4 x i32] %small, 2
  store volatile i32 %s, ptr addrspace(5) %a
  %i = load volatile i32, ptr addrspace(5) %a
  %p = getelementptr i32, ptr addrspace(5) %b, i32 %i
  %last = load volatile i32, ptr addrspace(5) %p
  store volatile i32 %last, ptr addrspace(5) %a
  ret void
}

; RUN: lgc-opt -passes=lgc-lower-resource-words -verify-each %s -o - | FileCheck %s

declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32 immarg)
declare void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32, ptr addrspace(8), i32, i32, i32 immarg)

; One pointer a block, each made of the loaded words; the load keeps what is known of it.
; CHECK-LABEL: @loaded(
; CHECK: [[W:%.*]] = load <4 x i32>, ptr addrspace(4) %table, align 16, !invariant.load
; CHECK: then:
; CHECK-NEXT: [[A:%.*]] = bitcast <4 x i32> [[W]] to i128
; CHECK-NEXT: [[B:%.*]] = inttoptr i128 [[A]] to ptr addrspace(8)
; CHECK-NEXT: call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) [[B]], i32 0
; CHECK-NEXT: call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 {{.*}}, ptr addrspace(8) [[B]], i32 4
; CHECK: else:
; CHECK-NEXT: [[C:%.*]] = bitcast <4 x i32> [[W]] to i128
; CHECK-NEXT: [[D:%.*]] = inttoptr i128 [[C]] to ptr addrspace(8)
; CHECK-NEXT: call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1, ptr addrspace(8) [[D]], i32 8
define void @loaded(ptr addrspace(4) %table, i1 %c) {
  %i = load i128, ptr addrspace(4) %table, align 16, !invariant.load !0
  %p = inttoptr i128 %i to ptr addrspace(8)
  br i1 %c, label %then, label %else
then:
  %x = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %p, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %x, ptr addrspace(8) %p, i32 4, i32 0, i32 0)
  ret void
else:
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1, ptr addrspace(8) %p, i32 8, i32 0, i32 0)
  ret void
}

; Words that are there already; the block that makes the pointer keeps it.
; CHECK-LABEL: @made(
; CHECK: %p = inttoptr i128 %i to ptr addrspace(8)
; CHECK-NEXT: call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1, ptr addrspace(8) %p
; CHECK: next:
; CHECK-NEXT: [[A:%.*]] = bitcast <4 x i32> %w to i128
; CHECK-NEXT: [[B:%.*]] = inttoptr i128 [[A]] to ptr addrspace(8)
; CHECK-NEXT: call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 2, ptr addrspace(8) [[B]]
define void @made(<4 x i32> %w) {
  %i = bitcast <4 x i32> %w to i128
  %p = inttoptr i128 %i to ptr addrspace(8)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1, ptr addrspace(8) %p, i32 0, i32 0, i32 0)
  br label %next
next:
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 2, ptr addrspace(8) %p, i32 0, i32 0, i32 0)
  ret void
}

; Other readers of the loaded integer read the same bits. Both pointers of one integer are spread.
; CHECK-LABEL: @shared(
; CHECK: [[W:%.*]] = load <4 x i32>, ptr addrspace(4) %table
; CHECK: [[I:%.*]] = bitcast <4 x i32> [[W]] to i128
; CHECK: trunc i128 [[I]] to i32
; CHECK: next:
; CHECK-COUNT-2: bitcast <4 x i32> [[W]] to i128
define i32 @shared(ptr addrspace(4) %table) {
  %i = load i128, ptr addrspace(4) %table, align 16
  %p = inttoptr i128 %i to ptr addrspace(8)
  %q = inttoptr i128 %i to ptr addrspace(8)
  %low = trunc i128 %i to i32
  br label %next
next:
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 2, ptr addrspace(8) %p, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 3, ptr addrspace(8) %q, i32 0, i32 0, i32 0)
  ret i32 %low
}

; Left alone: used in its own block, by a PHI, made of something else, and volatile.
; CHECK-LABEL: @others(
; CHECK: load i128, ptr addrspace(4) %table, align 16
; CHECK: load volatile i128
; CHECK-NOT: <4 x i32>
; CHECK: ret void
define void @others(ptr addrspace(4) %table, i128 %k, i1 %c) {
  %i = load i128, ptr addrspace(4) %table, align 16
  %p = inttoptr i128 %i to ptr addrspace(8)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1, ptr addrspace(8) %p, i32 0, i32 0, i32 0)
  %q = inttoptr i128 %k to ptr addrspace(8)
  %j = load volatile i128, ptr addrspace(4) %table, align 16
  %s = inttoptr i128 %j to ptr addrspace(8)
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %r = phi ptr addrspace(8) [%p, %0], [%q, %then]
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1, ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1, ptr addrspace(8) %q, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1, ptr addrspace(8) %s, i32 0, i32 0, i32 0)
  ret void
}

!0 = !{}

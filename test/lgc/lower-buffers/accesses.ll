; RUN: lgc-opt -passes=lgc-lower-buffers -verify-each %s -o - | FileCheck %s

; Widths, splitting and offsets of plain accesses; constants of GEPs and of their indices come last.

; CHECK-LABEL: define amdgpu_cs void @_amdgpu_cs_main(
; CHECK: [[RSRC:%.*]] = inttoptr i128 {{.*}} to ptr addrspace(8)
define amdgpu_cs void @_amdgpu_cs_main(<4 x i32> inreg %desc, i32 inreg %u, i32 %v, i16 %w) {
  %i = bitcast <4 x i32> %desc to i128
  %r = inttoptr i128 %i to ptr addrspace(8)
  %p = addrspacecast ptr addrspace(8) %r to ptr addrspace(7)

  ; (v + 4) * 16 + 8 = v * 16 + 72
  ; CHECK: [[V16:%.*]] = shl i32 %v, 4
  ; CHECK: [[O:%.*]] = add i32 [[V16]], 72
  ; CHECK: [[L:%.*]] = call <2 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v2i32(ptr addrspace(8) [[RSRC]], i32 [[O]], i32 0, i32 0)
  ; CHECK: bitcast <2 x i32> [[L]] to <2 x float>
  %v4 = add i32 %v, 4
  %vx = sext i32 %v4 to i64
  %q = getelementptr <4 x float>, ptr addrspace(7) %p, i64 %vx
  %q8 = getelementptr i8, ptr addrspace(7) %q, i32 8
  %a = load <2 x float>, ptr addrspace(7) %q8, align 8

  ; A 16-bit index is extended before its constant is used; vectors of 6 bytes take two pieces.
  ; CHECK: [[W1:%.*]] = add i16 %w, 1
  ; CHECK: [[W:%.*]] = sext i16 [[W1]] to i32
  ; CHECK: [[W8:%.*]] = shl i32 [[W]], 3
  ; CHECK: call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) [[RSRC]], i32 [[W8]], i32 0, i32 0)
  ; CHECK: [[W84:%.*]] = add i32 [[W8]], 4
  ; CHECK: call i16 @llvm.amdgcn.raw.ptr.buffer.load.i16(ptr addrspace(8) [[RSRC]], i32 [[W84]], i32 0, i32 0)
  %w1 = add i16 %w, 1
  %pw = getelementptr [8 x i8], ptr addrspace(7) %p, i16 %w1
  %h = load <3 x half>, ptr addrspace(7) %pw, align 8

  ; Alignment 2 allows nothing wider; 3 dwords are one access, 5 are two.
  ; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.i16({{.*}}i32 0, i32 0, i32 0)
  ; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.i16({{.*}}i32 2, i32 0, i32 0)
  ; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.i16({{.*}}i32 4, i32 0, i32 0)
  store <3 x half> %h, ptr addrspace(7) %p, align 2
  ; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.v3i32({{.*}}i32 0, i32 0, i32 0)
  store <3 x i32> <i32 1, i32 2, i32 3>, ptr addrspace(7) %p, align 4
  ; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.v4i32({{.*}}i32 0, i32 0, i32 0)
  ; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.i32({{.*}}i32 16, i32 0, i32 0)
  store <5 x float> zeroinitializer, ptr addrspace(7) %p, align 4
  ; CHECK: [[PTR:%.*]] = inttoptr i64 {{.*}} to ptr addrspace(1)
  ; CHECK: store ptr addrspace(1) [[PTR]]
  %ptr = load ptr addrspace(1), ptr addrspace(7) %p, align 8
  %memory = alloca ptr addrspace(1), addrspace(5)
  store ptr addrspace(1) %ptr, ptr addrspace(5) %memory
  ; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.v2i32(
  store <2 x float> %a, ptr addrspace(7) %p, align 4
  ; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.i8(i8 1,
  store i8 1, ptr addrspace(7) %p, align 4
  ret void
}
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

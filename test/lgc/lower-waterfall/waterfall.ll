; RUN: lgc-opt -passes=lgc-lower-waterfall -verify-each %s -o - | FileCheck %s

; Divergent descriptor indices: a loop with a scalar descriptor load, shared by accesses in a row; one
; readfirstlane where the index is promised to be uniform; nothing for uniform indices.

; CHECK-LABEL: define amdgpu_cs void @_amdgpu_cs_main(
define amdgpu_cs void @_amdgpu_cs_main(ptr addrspace(4) inreg %table, i32 inreg %u, i32 %v, i32 %x) {
  ; CHECK: %sgpr = load <4 x i32>
  ; CHECK-NEXT: bitcast
  ; CHECK-NEXT: inttoptr
  ; CHECK-NEXT: call void @llvm.amdgcn.raw.ptr.buffer.store.i32(
  %ub = mul i32 %u, 16
  %ug = getelementptr i8, ptr addrspace(4) %table, i32 %ub
  %sgpr = load <4 x i32>, ptr addrspace(4) %ug, !invariant.load !0
  %si = bitcast <4 x i32> %sgpr to i128
  %sr = inttoptr i128 %si to ptr addrspace(8)
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1, ptr addrspace(8) %sr, i32 0, i32 0, i32 0)

  ; CHECK: %bytes = mul i32 %v, 16
  ; CHECK: br label %waterfall
  ; CHECK: waterfall:
  ; CHECK-NEXT: [[FIRST:%.*]] = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %bytes)
  ; CHECK-NEXT: [[SAME:%.*]] = icmp eq i32 %bytes, [[FIRST]]
  ; CHECK-NEXT: br i1 [[SAME]], label %waterfall.body, label %waterfall.next
  ; CHECK: waterfall.body:
  ; CHECK-NEXT: [[G:%.*]] = getelementptr i8, ptr addrspace(4) %table, i32 [[FIRST]]
  ; CHECK-NEXT: [[D:%.*]] = load <4 x i32>, ptr addrspace(4) [[G]], {{.*}}!invariant.load
  ; CHECK-NEXT: [[I:%.*]] = bitcast <4 x i32> [[D]] to i128
  ; CHECK-NEXT: [[R:%.*]] = inttoptr i128 [[I]] to ptr addrspace(8)
  ; CHECK-NEXT: %a = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) [[R]],
  ; CHECK-NEXT: %sum = add i32 %a, 1
  ; CHECK-NEXT: %b = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) [[R]],
  ; CHECK-NEXT: br label %waterfall.next
  ; CHECK: waterfall.next:
  ; CHECK: phi i32 [ %sum, %waterfall.body ], [ poison, %waterfall ]
  ; CHECK-NEXT: phi i32 [ %b, %waterfall.body ], [ poison, %waterfall ]
  ; CHECK-NEXT: [[FINISHED:%.*]] = phi i1 [ true, %waterfall.body ], [ false, %waterfall ]
  ; CHECK-NEXT: br i1 [[FINISHED]], label %waterfall.done, label %waterfall
  %bytes = mul i32 %v, 16
  %g = getelementptr i8, ptr addrspace(4) %table, i32 %bytes
  %desc = load <4 x i32>, ptr addrspace(4) %g, !invariant.load !0
  %di = bitcast <4 x i32> %desc to i128
  %r = inttoptr i128 %di to ptr addrspace(8)
  %a = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  %sum = add i32 %a, 1
  %b = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %r, i32 4, i32 0, i32 0)
  %all = add i32 %sum, %b

  ; An image and its sampler; the index is the result of a loop before.
  ; CHECK: waterfall.done:
  ; CHECK: %ib = mul i32 %all, 48
  ; CHECK: call i32 @llvm.amdgcn.readfirstlane.i32(i32 %ib)
  ; CHECK: load <8 x i32>
  ; CHECK: load <4 x i32>
  ; CHECK: call float @llvm.amdgcn.image.sample.lz.2d
  %ib = mul i32 %all, 48
  %ig = getelementptr i8, ptr addrspace(4) %table, i32 %ib
  %image = load <8 x i32>, ptr addrspace(4) %ig, !invariant.load !0
  %sg = getelementptr i8, ptr addrspace(4) %ig, i32 32
  %sampler = load <4 x i32>, ptr addrspace(4) %sg, !invariant.load !0
  %t = call float @llvm.amdgcn.image.sample.lz.2d.f32.f32.v8i32.v4i32(i32 1, float 0.0, float 0.0, <8 x i32> %image, <4 x i32> %sampler, i1 false, i32 0, i32 0)

  ; CHECK: waterfall.done{{[0-9]+}}:
  ; CHECK: [[X:%.*]] = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %xb)
  ; CHECK-NEXT: [[XG:%.*]] = getelementptr i8, ptr addrspace(4) %table, i32 [[X]]
  ; CHECK-NEXT: load <4 x i32>, ptr addrspace(4) [[XG]]
  ; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.f32(float
  ; CHECK-NOT: waterfall
  %xb = mul i32 %x, 16
  %xg = getelementptr i8, ptr addrspace(4) %table, i32 %xb
  %xdesc = load <4 x i32>, ptr addrspace(4) %xg, !invariant.load !0, !lgc.uniform !0
  %xi = bitcast <4 x i32> %xdesc to i128
  %xr = inttoptr i128 %xi to ptr addrspace(8)
  call void @llvm.amdgcn.raw.ptr.buffer.store.f32(float %t, ptr addrspace(8) %xr, i32 0, i32 0, i32 0)

  ; Chosen between two descriptors: left to instruction selection.
  %c = icmp eq i32 %v, 3
  %sel = select i1 %c, ptr addrspace(8) %sr, ptr addrspace(8) %xr
  ; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.f32(float {{.*}}, ptr addrspace(8) %sel,
  call void @llvm.amdgcn.raw.ptr.buffer.store.f32(float %t, ptr addrspace(8) %sel, i32 0, i32 0, i32 0)
  ret void
}
!lgc.target = !{!1}
!0 = !{}
!1 = !{!"gfx1100"}

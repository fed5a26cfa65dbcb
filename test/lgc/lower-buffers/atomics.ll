; RUN: sed s/GFX/gfx1030/ %s | lgc-opt -passes=lgc-lower-buffers -verify-each - -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: sed s/GFX/gfx1100/ %s | lgc-opt -passes=lgc-lower-buffers -verify-each - -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: sed s/GFX/gfx1201/ %s | lgc-opt -passes=lgc-lower-buffers -verify-each - -o - | FileCheck --check-prefixes=CHECK,GFX12 %s

; Atomics, their order as fences, their visibility as cache policy; loops for what hardware lacks.

; CHECK-LABEL: define amdgpu_cs void @_amdgpu_cs_main(
define amdgpu_cs void @_amdgpu_cs_main(<4 x i32> inreg %desc, i32 %v) {
  %i = bitcast <4 x i32> %desc to i128
  %r = inttoptr i128 %i to ptr addrspace(8)
  %p = addrspacecast ptr addrspace(8) %r to ptr addrspace(7)
  ; CHECK: fence syncscope("agent") release
  ; GFX10: atomic.add.i32(i32 5, ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  ; GFX11: atomic.add.i32(i32 5, ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  ; GFX12: atomic.add.i32(i32 5, ptr addrspace(8) %r, i32 0, i32 0, i32 16)
  ; CHECK: fence syncscope("agent") acquire
  %a = atomicrmw add ptr addrspace(7) %p, i32 5 syncscope("agent") acq_rel
  ; CHECK-NOT: fence
  ; GFX10: atomic.buffer.load.i32(ptr addrspace(8) %r, i32 4, i32 0, i32 5)
  ; GFX11: atomic.buffer.load.i32(ptr addrspace(8) %r, i32 4, i32 0, i32 1)
  ; GFX12: atomic.buffer.load.i32(ptr addrspace(8) %r, i32 4, i32 0, i32 16)
  ; CHECK-NEXT: fence syncscope("agent") acquire
  %q = getelementptr i8, ptr addrspace(7) %p, i32 4
  %b = load atomic i32, ptr addrspace(7) %q syncscope("agent") acquire, align 4
  ; GFX10: atomic.buffer.load.i32(ptr addrspace(8) %r, i32 4, i32 0, i32 1)
  ; GFX11: atomic.buffer.load.i32(ptr addrspace(8) %r, i32 4, i32 0, i32 1)
  ; GFX12: atomic.buffer.load.i32(ptr addrspace(8) %r, i32 4, i32 0, i32 8)
  %c = load atomic i32, ptr addrspace(7) %q syncscope("workgroup") monotonic, align 4
  ; CHECK: fence syncscope("agent") release
  ; GFX10: store.i32(i32 {{.*}}, ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  ; GFX11: store.i32(i32 {{.*}}, ptr addrspace(8) %r, i32 0, i32 0, i32 0)
  ; GFX12: store.i32(i32 {{.*}}, ptr addrspace(8) %r, i32 0, i32 0, i32 16)
  store atomic i32 %b, ptr addrspace(7) %p syncscope("agent") release, align 4
  ; GFX10: store.i32(i32 {{.*}}i32 0, i32 0, i32 3)
  ; GFX11: store.i32(i32 {{.*}}i32 0, i32 0, i32 6)
  ; GFX12: store.i32(i32 {{.*}}i32 0, i32 0, i32 1)
  store i32 %c, ptr addrspace(7) %p, align 4, !nontemporal !1
  ; CHECK: call i64 @llvm.amdgcn.raw.ptr.buffer.atomic.umax.i64(i64 9,
  %d = atomicrmw umax ptr addrspace(7) %p, i64 9 syncscope("agent") monotonic
  ; CHECK: call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.swap.i32(i32 1065353216,
  ; CHECK-NEXT: bitcast
  %e = atomicrmw xchg ptr addrspace(7) %p, float 1.0 syncscope("agent") monotonic
  store float %e, ptr addrspace(7) %p
  ; CHECK: [[OLD:%.*]] = call i32 @llvm.amdgcn.raw.ptr.buffer.atomic.cmpswap.i32(i32 7, i32 %v,
  ; CHECK: icmp eq i32 [[OLD]], %v
  %f = cmpxchg ptr addrspace(7) %p, i32 %v, i32 7 syncscope("agent") monotonic monotonic
  %f1 = extractvalue {i32, i1} %f, 1
  %f2 = zext i1 %f1 to i8
  store i8 %f2, ptr addrspace(7) %p
  ; GFX10: br label %atomic.loop
  ; GFX10: fadd float
  ; GFX10: atomic.cmpswap.i32
  ; GFX11: atomic.fadd.f32(float 5.0
  ; GFX12: atomic.fadd.f32(float 5.0
  %g = atomicrmw fadd ptr addrspace(7) %q, float 5.0 syncscope("agent") monotonic
  ; CHECK: atomic.fmin.f32(float 5.0
  %h = atomicrmw fmin ptr addrspace(7) %q, float 5.0 syncscope("agent") monotonic
  ; GFX10: cmpswap.i32
  ; GFX11: cmpswap.i32
  ; GFX12: atomic.fadd.v2f16(
  %j = atomicrmw fadd ptr addrspace(7) %q, <2 x half> <half 1.0, half 1.0> syncscope("agent") monotonic
  ; CHECK: cmpswap.i64
  %k = atomicrmw fadd ptr addrspace(7) %q, double 1.0 syncscope("agent") monotonic
  ; A half lives in one half of a dword.
  ; CHECK: shl i32 65535,
  ; CHECK: fadd half
  ; CHECK: cmpswap.i32
  %q2 = getelementptr i8, ptr addrspace(7) %p, i32 %v
  %l = atomicrmw fadd ptr addrspace(7) %q2, half 1.0 syncscope("agent") monotonic
  ret void
}
!lgc.target = !{!0}
!0 = !{!"GFX"}
!1 = !{i32 1}

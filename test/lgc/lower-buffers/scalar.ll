; RUN: sed s/GFX/gfx1030/ %s | lgc-opt -passes=lgc-lower-buffers -verify-each - -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: sed s/GFX/gfx1201/ %s | lgc-opt -passes=lgc-lower-buffers -verify-each - -o - | FileCheck --check-prefixes=CHECK,GFX12 %s

; Invariant loads from uniform addresses are scalar loads; all others are not.

; CHECK-LABEL: define amdgpu_cs void @_amdgpu_cs_main(
define amdgpu_cs void @_amdgpu_cs_main(<4 x i32> inreg %desc, i32 inreg %u, i32 %v) {
  %i = bitcast <4 x i32> %desc to i128
  %r = inttoptr i128 %i to ptr addrspace(8)
  %p = addrspacecast ptr addrspace(8) %r to ptr addrspace(7)
  %q = getelementptr [16 x i8], ptr addrspace(7) %p, i32 %u
  %q4 = getelementptr i8, ptr addrspace(7) %q, i32 4
  ; CHECK: [[O:%.*]] = shl i32 %u, 4
  ; CHECK: [[O4:%.*]] = add i32 [[O]], 4
  ; CHECK: call <3 x i32> @llvm.amdgcn.s.buffer.load.v3i32(<4 x i32> %desc, i32 [[O4]], i32 0)
  %a = load <3 x float>, ptr addrspace(7) %q4, align 4, !invariant.load !1
  store <3 x float> %a, ptr addrspace(7) %p
  ; CHECK: call <16 x i32> @llvm.amdgcn.s.buffer.load.v16i32(<4 x i32> %desc, i32 0, i32 0)
  ; CHECK: call <2 x i32> @llvm.amdgcn.s.buffer.load.v2i32(<4 x i32> %desc, i32 64, i32 0)
  %b = load <18 x i32>, ptr addrspace(7) %p, align 4, !invariant.load !1
  store <18 x i32> %b, ptr addrspace(7) %p
  ; GFX10: [[DW:%.*]] = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %desc, i32 8, i32 0)
  ; GFX10: [[SH:%.*]] = lshr i32 [[DW]], 16
  ; GFX10: trunc i32 [[SH]] to i16
  ; GFX12: call i16 @llvm.amdgcn.s.buffer.load.i16(<4 x i32> %desc, i32 10, i32 0)
  %q10 = getelementptr i8, ptr addrspace(7) %p, i32 10
  %c = load half, ptr addrspace(7) %q10, align 2, !invariant.load !1
  store half %c, ptr addrspace(7) %p
  ; GFX10: and i32 %{{.*}}, -4
  ; GFX10: call i32 @llvm.amdgcn.s.buffer.load.i32
  ; GFX12: call i8 @llvm.amdgcn.s.buffer.load.i8
  %d = load i8, ptr addrspace(7) %q4, align 1, !invariant.load !1
  store i8 %d, ptr addrspace(7) %p
  ; CHECK-NOT: s.buffer.load
  ; CHECK: call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32({{.*}}, !invariant.load
  %qv = getelementptr i32, ptr addrspace(7) %p, i32 %v
  %e = load i32, ptr addrspace(7) %qv, align 4, !invariant.load !1
  store i32 %e, ptr addrspace(7) %p
  ; CHECK: call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32
  %f = load i32, ptr addrspace(7) %p, align 4
  store i32 %f, ptr addrspace(7) %p
  ; CHECK: call i32 @llvm.amdgcn.raw.ptr.atomic.buffer.load.i32({{.*}}i32 -2147483648)
  %g = load volatile i32, ptr addrspace(7) %p, align 4, !invariant.load !1
  store i32 %g, ptr addrspace(7) %p
  ; Two halfwords at a halfword address are no scalar load.
  ; CHECK: call i16 @llvm.amdgcn.raw.ptr.buffer.load.i16
  ; CHECK: call i16 @llvm.amdgcn.raw.ptr.buffer.load.i16
  %h = load <2 x half>, ptr addrspace(7) %q10, align 2, !invariant.load !1
  store <2 x half> %h, ptr addrspace(7) %p
  ret void
}
!lgc.target = !{!0}
!0 = !{!"GFX"}
!1 = !{}

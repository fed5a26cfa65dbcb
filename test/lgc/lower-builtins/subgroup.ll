; RUN: lgc-opt -passes='lgc-lower-builtins,early-cse' -verify-each %s -o - | FileCheck --check-prefixes=CHECK,OLD %s
; RUN: lgc-opt -mcpu=gfx1200 -passes='lgc-lower-builtins,early-cse' -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX12 %s

; Waves are filled linearly, so a subgroup's number is that of its first lane / 64. gfx12 has it in
; a register. 3 waves for 130 invocations.
; CHECK: [[LOW:%.*]] = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
; CHECK: [[LANE:%.*]] = call range(i32 0, 64) i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 [[LOW]])
; CHECK: [[WIDE:%.*]] = zext i32 [[LANE]] to i64
; CHECK: [[ABOVE:%.*]] = shl i64 -2, [[WIDE]]
; CHECK: [[UPTO:%.*]] = xor i64 [[ABOVE]], -1
; OLD: [[WAVE:%.*]] = udiv i32 {{%.*}}, 64
; OLD: [[ID:%.*]] = call i32 @llvm.amdgcn.readfirstlane.i32(i32 [[WAVE]])
; GFX12: [[ID:%.*]] = call i32 @llvm.amdgcn.wave.id()
; CHECK: store volatile i32 [[ID]]
; CHECK: store volatile i32 3,
; CHECK: store volatile i32 64,
; CHECK: store volatile i32 [[LANE]]
; CHECK: store volatile <4 x i32>
; CHECK: store volatile i32 5,
define void @lgc.shader.CS() {
  %id = call i32 @lgc.builtin__i32_i32(i32 5)
  store volatile i32 %id, ptr addrspace(1) null
  %count = call i32 @lgc.builtin__i32_i32(i32 6)
  store volatile i32 %count, ptr addrspace(1) null
  %size = call i32 @lgc.builtin__i32_i32(i32 7)
  store volatile i32 %size, ptr addrspace(1) null
  %lane = call i32 @lgc.builtin__i32_i32(i32 8)
  store volatile i32 %lane, ptr addrspace(1) null
  %le = call <4 x i32> @lgc.builtin__v4i32_i32(i32 12)
  store volatile <4 x i32> %le, ptr addrspace(1) null
  %device = call i32 @lgc.builtin__i32_i32(i32 14)
  store volatile i32 %device, ptr addrspace(1) null
  ret void
}
declare <4 x i32> @lgc.builtin__v4i32_i32(i32)
declare i32 @lgc.builtin__i32_i32(i32)
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1100", i32 5}
!1 = !{!"workgroupSize", i32 130, i32 1, i32 1}

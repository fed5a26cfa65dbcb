; RUN: lgc-opt -passes=lgc-lower-subgroup -verify-each %s -o - | FileCheck --check-prefix=WAITS %s
; RUN: lgc-opt -passes=lgc-lower-subgroup,lgc-lower-shuffles -verify-each %s -o - \
; RUN:   | FileCheck --check-prefix=LEFT %s
; RUN: lgc-opt -compile -filetype=asm %s -o - | FileCheck --check-prefix=CODE %s
; A shuffle waits where its lane may become a constant by unrolling, and nowhere else.

; WAITS-LABEL: define void @lgc.shader.CS(
; WAITS: @lgc.subgroup.shuffle.xor
; WAITS-LABEL: define void @loaded(
; WAITS: call i32 @llvm.amdgcn.ds.bpermute(

; LEFT-LABEL: define void @lgc.shader.CS(
; LEFT: call i32 @llvm.amdgcn.ds.bpermute(

; CODE-LABEL: _amdgpu_cs_main:
; CODE-NOT: ds_bpermute
; CODE: _dpp {{.*}} quad_perm:[1,0,3,2]
; CODE: _dpp {{.*}} quad_perm:[2,3,0,1]
; CODE: _dpp {{.*}} row_xmask:4
; CODE: _dpp {{.*}} row_xmask:8
; CODE: v_permlanex16_b32
; CODE-NOT: ds_bpermute
; CODE: s_endpgm
define void @lgc.shader.CS() {
entry:
  %first = load i32, ptr addrspace(1) null
  br label %loop
loop:
  %x = phi i32 [ %first, %entry ], [ %sum, %loop ]
  %mask = phi i32 [ 1, %entry ], [ %next, %loop ]
  %other = call i32 @lgc.subgroup.shuffle.xor__i32_i32_i32(i32 %x, i32 %mask)
  %sum = add i32 %x, %other
  %next = shl i32 %mask, 1
  %more = icmp ult i32 %next, 32
  br i1 %more, label %loop, label %exit
exit:
  store i32 %sum, ptr addrspace(1) null
  ret void
}

define void @loaded(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %lane = load i32, ptr addrspace(1) %p
  %other = call i32 @lgc.subgroup.shuffle__i32_i32_i32(i32 %i, i32 %lane)
  store i32 %other, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 32
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

declare i32 @lgc.subgroup.shuffle.xor__i32_i32_i32(i32, i32)
declare i32 @lgc.subgroup.shuffle__i32_i32_i32(i32, i32)
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"waveSize", i32 32}

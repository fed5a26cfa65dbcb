; RUN: lgc-opt -passes=lgc-lower-builtins -mcpu=gfx1030 -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -passes=lgc-lower-builtins -mcpu=gfx1201 -verify-each %s -o - | FileCheck %s

; Subgroup built-ins follow the wave size of the hardware stage; those of workgroups exist in mesh
; shaders, whose waves are told apart by the wave info of the geometry stage.
; CHECK-LABEL: define void @lgc.shader.MS()
; CHECK: [[INFO:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 0)
; CHECK: [[WAVE:%.*]] = lshr i32 [[INFO]], 24
; CHECK: [[ID:%.*]] = and i32 [[WAVE]], 15
; CHECK: store volatile i32 [[ID]]
; CHECK: store volatile i32 4
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: [[LANE:%.*]] = call range(i32 0, 32) i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
; CHECK: store volatile i32 32
; CHECK: store volatile i32 [[LANE]]
define void @lgc.shader.MS() {
  %id = call i32 @lgc.builtin__i32_i32(i32 5)
  %count = call i32 @lgc.builtin__i32_i32(i32 6)
  store volatile i32 %id, ptr addrspace(3) null
  store volatile i32 %count, ptr addrspace(3) null
  ret void
}
define void @lgc.shader.FS() {
  %size = call i32 @lgc.builtin__i32_i32(i32 7)
  %lane = call i32 @lgc.builtin__i32_i32(i32 8)
  store volatile i32 %size, ptr addrspace(3) null
  store volatile i32 %lane, ptr addrspace(3) null
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.shader.mesh = !{!2, !3}
!lgc.shader.fragment = !{!3}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"mesh", !"fragment"}
!2 = !{!"workgroupSize", i32 128, i32 1, i32 1}
!3 = !{!"waveSize", i32 32}

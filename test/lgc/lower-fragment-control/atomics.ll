; Behind a demote only the living may reach atomics: LLVM's atomic optimiser would count demoted lanes.
; RUN: lgc-opt -passes=lgc-lower-fragment-control -verify-each %s -o - | FileCheck %s --check-prefix=DEMOTE
; RUN: grep -v "call void @lgc.demote" %s | lgc-opt -passes=lgc-lower-fragment-control -verify-each - -o - | FileCheck %s --check-prefix=PLAIN

; DEMOTE: call void @llvm.amdgcn.wqm.demote(i1 false)
; DEMOTE: [[LIVE:%.*]] = call i1 @llvm.amdgcn.live.mask()
; DEMOTE: br i1 [[LIVE]], label %[[THEN:.*]], label %[[REST:.*]]
; DEMOTE: [[THEN]]:
; DEMOTE-NEXT: [[OLD:%.*]] = atomicrmw add ptr addrspace(7)
; DEMOTE: [[REST]]:
; DEMOTE: phi i32 [ [[OLD]], %[[THEN]] ], [ poison,
; DEMOTE: [[LIVE2:%.*]] = call i1 @llvm.amdgcn.live.mask()
; DEMOTE: br i1 [[LIVE2]], label %[[THEN2:.*]], label
; DEMOTE: [[THEN2]]:
; DEMOTE-NEXT: call i32 @lgc.image.atomic
; PLAIN: atomicrmw
; PLAIN-NOT: live.mask
define void @lgc.shader.FS() {
  %h = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 0, i32 0)
  %p = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h, i32 0)
  %dx = call float @lgc.derivative__f32_i32_f32(i32 0, float 1.0) ; else a demotion is a kill
  call void @lgc.demote__void()
  %old = atomicrmw add ptr addrspace(7) %p, i32 1 syncscope("agent") monotonic
  %r = call i32 @lgc.image.atomic__i32_v4i32_i32_i32_i32_i32_i32_i32_i32(<4 x i32> zeroinitializer, i32 9, i32 0, i32 2, i32 %old, i32 poison, i32 1, i32 poison)
  ret void
}
declare float @lgc.derivative__f32_i32_f32(i32, float)
declare void @lgc.demote__void()
declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32)
declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32)
declare i32 @lgc.image.atomic__i32_v4i32_i32_i32_i32_i32_i32_i32_i32(<4 x i32>, i32, i32, i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}

; RUN: split-file %s %t
; RUN: lgc-opt -passes=lgc-lower-fragment-control -verify-each -mcpu=gfx1100 %t/start.ll -o - | FileCheck %t/start.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-control -verify-each -mcpu=gfx1030 %t/loop.ll -o - | FileCheck %t/loop.ll

;--- start.ll
; Without a begin the section is the whole shader, also where it starts with what is lowered here. A demotion in it is remembered.
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: %demoted = alloca i1
; CHECK-NEXT: store i1 false
; CHECK-NEXT: call void @llvm.amdgcn.sched.barrier(i32 0)
; CHECK-NEXT: call void @llvm.amdgcn.s.wait.event.export.ready()
; CHECK-NEXT: fence syncscope("agent") acquire
; CHECK: call i1 @llvm.amdgcn.live.mask()
; CHECK: store i1 true, ptr addrspace(5) %demoted
; CHECK: fence syncscope("agent") release
; CHECK-NOT: @lgc.interlock
; CHECK: call void @llvm.amdgcn.kill(
; CHECK-NEXT: ret void
define void @lgc.shader.FS() {
  %h = call i1 @lgc.is.helper__i1()
  call void @lgc.demote__void()
  %s = select i1 %h, float 1.0, float 2.0
  %d = call float @lgc.derivative__f32_i32_f32(i32 0, float %s)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %d, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.interlock__void_i32(i32 0)
  ret void
}
declare i1 @lgc.is.helper__i1()
declare void @lgc.demote__void()
declare float @lgc.derivative__f32_i32_f32(i32, float)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.interlock__void_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"fragment.interlock", !"pixelOrdered"}

;--- loop.ll
; A begin in a loop is in front of it, so that the demotion is in the section.
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: fence syncscope("agent") acquire
; CHECK-NEXT: br i1 %c, label %demote, label %loop
; CHECK: demote:
; CHECK-NEXT: store i1 true, ptr addrspace(5) %demoted
; CHECK-NOT: wqm.demote
; CHECK: fence syncscope("agent") release
; CHECK-NEXT: call void @llvm.amdgcn.s.sendmsg(i32 7, i32 %PrimMask)
; CHECK: call void @llvm.amdgcn.kill(
; CHECK-NEXT: ret void
define void @lgc.shader.FS() {
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %f = extractelement <2 x float> %ij, i32 0
  %c = fcmp ogt float %f, 0.5
  br i1 %c, label %demote, label %loop
demote:
  call void @lgc.demote__void()
  br label %loop
loop:
  call void @lgc.interlock__void_i32(i32 1)
  call void @lgc.interlock__void_i32(i32 0)
  %d = call float @lgc.derivative__f32_i32_f32(i32 0, float %f)
  %again = fcmp ogt float %d, 0.5
  br i1 %again, label %loop, label %done
done:
  ret void
}
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)
declare void @lgc.demote__void()
declare float @lgc.derivative__f32_i32_f32(i32, float)
declare void @lgc.interlock__void_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"fragment.interlock", !"pixelOrdered"}

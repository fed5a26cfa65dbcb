; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm -verify-each %s -o - | FileCheck %s
; RUN: sed -e "s|!\"task\", ||" -e "/lgc.shader.TS/,/^}/d" %s | lgc-opt -mcpu=gfx1100 -compile -filetype=asm -verify-each - -o - | FileCheck --check-prefix=ALONE %s

; Behind a task shader a mesh shader has a register for MeshTaskRingIndex although it reads no payload: the packet that
; launches it names the register. Without a task shader there is none.
; CHECK: .gs:
; CHECK: .user_data_reg_map:
; CHECK-NOT: .user_sgprs
; CHECK: - 0x10000013
; CHECK: .type: TaskMesh
; ALONE: .gs:
; ALONE-NOT: 0x10000013
; ALONE: .type: Mesh
define void @lgc.shader.TS() {
  call void @lgc.emit.mesh.tasks__void_i32_i32_i32(i32 2, i32 1, i32 1)
  ret void
}
define void @lgc.shader.MS() {
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 1, i32 1)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 512, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 0, i32 525, i32 0, i32 0, i32 0)
  ret void
}
declare void @lgc.emit.mesh.tasks__void_i32_i32_i32(i32, i32, i32)
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3, !4}
!lgc.shader.mesh = !{!5}
!lgc.shader.task = !{!5}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"task", !"mesh"}
!2 = !{!"mesh.output", !"points"}
!3 = !{!"mesh.outputVertices", i32 1}
!4 = !{!"mesh.outputPrimitives", i32 1}
!5 = !{!"workgroupSize", i32 32, i32 1, i32 1}

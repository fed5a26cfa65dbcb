; RUN: split-file %s %t
; RUN: not lgc-opt -passes=lgc-lower-mesh %t/workgroup.ll -o - 2>&1 | FileCheck --check-prefix=WORKGROUP %s
; RUN: not lgc-opt -passes=lgc-lower-mesh %t/vertices.ll -o - 2>&1 | FileCheck --check-prefix=VERTICES %s
; RUN: not lgc-opt -passes=lgc-lower-mesh %t/primitives.ll -o - 2>&1 | FileCheck --check-prefix=PRIMITIVES %s
; RUN: not lgc-opt -passes=lgc-lower-mesh %t/shared.ll -o - 2>&1 | FileCheck --check-prefix=SHARED %s
; RUN: not lgc-opt -passes=lgc-lower-mesh %t/target.ll -o - 2>&1 | FileCheck --check-prefix=TARGET %s
; RUN: not lgc-opt -passes=lgc-lower-mesh %t/component.ll -o - 2>&1 | FileCheck --check-prefix=COMPONENT %s
; RUN: not lgc-opt -passes=lgc-lower-mesh %t/slot.ll -o - 2>&1 | FileCheck --check-prefix=SLOT %s
; RUN: not lgc-opt -passes=lgc-lower-mesh %t/attributes.ll -o - 2>&1 | FileCheck --check-prefix=ATTRIBUTES %s

;--- workgroup.ll
; WORKGROUP: lgc-opt: limit exceeded: workgroup of the mesh shader: 257 invocations, limit 256
define void @lgc.shader.MS() {
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 3, i32 1)
  ret void
}
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.mesh = !{!4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh"}
!2 = !{!"mesh.outputVertices", i32 3}
!3 = !{!"mesh.outputPrimitives", i32 1}
!4 = !{!"workgroupSize", i32 257, i32 1, i32 1}

;--- vertices.ll
; VERTICES: lgc-opt: limit exceeded: mesh shader: 4294967295 output vertices, limit 256
define void @lgc.shader.MS() {
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 3, i32 1)
  ret void
}
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.mesh = !{!4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh"}
!2 = !{!"mesh.outputVertices", i32 -1}
!3 = !{!"mesh.outputPrimitives", i32 1}
!4 = !{!"workgroupSize", i32 32, i32 1, i32 1}

;--- primitives.ll
; PRIMITIVES: lgc-opt: limit exceeded: mesh shader: 257 output primitives, limit 256
define void @lgc.shader.MS() {
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 3, i32 1)
  ret void
}
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.mesh = !{!4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh"}
!2 = !{!"mesh.outputVertices", i32 3}
!3 = !{!"mesh.outputPrimitives", i32 257}
!4 = !{!"workgroupSize", i32 32, i32 1, i32 1}

;--- shared.ll
; SHARED: lgc-opt: limit exceeded: workgroup variables of the mesh shader: 32768 bytes, limit 32752
@v = internal addrspace(3) global [8192 x i32] poison
define void @lgc.shader.MS() {
  store i32 0, ptr addrspace(3) @v
  ret void
}
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.mesh = !{!4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh"}
!2 = !{!"mesh.outputVertices", i32 3}
!3 = !{!"mesh.outputPrimitives", i32 1}
!4 = !{!"workgroupSize", i32 32, i32 1, i32 1}

;--- target.ll
; TARGET: lgc-opt: unsupported: mesh shaders on gfx1010
define void @lgc.shader.MS() {
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 3, i32 1)
  ret void
}
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.mesh = !{!4}
!0 = !{!"gfx1010"}
!1 = !{!"stages", !"mesh"}
!2 = !{!"mesh.outputVertices", i32 3}
!3 = !{!"mesh.outputPrimitives", i32 1}
!4 = !{!"workgroupSize", i32 32, i32 1, i32 1}

;--- component.ll
; COMPONENT: lgc-opt: invalid input: mesh shader output: component 4 of a slot
define void @lgc.shader.MS() {
  call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> zeroinitializer, i32 0, i32 3, i32 0, i32 0)
  ret void
}
declare void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.mesh = !{!4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh"}
!2 = !{!"mesh.outputVertices", i32 3}
!3 = !{!"mesh.outputPrimitives", i32 1}
!4 = !{!"workgroupSize", i32 32, i32 1, i32 1}

;--- slot.ll
; SLOT: lgc-opt: invalid input: mesh shader output: slot 600
define void @lgc.shader.MS() {
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 0.0, i32 600, i32 0, i32 0, i32 0)
  ret void
}
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.mesh = !{!4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh"}
!2 = !{!"mesh.outputVertices", i32 3}
!3 = !{!"mesh.outputPrimitives", i32 1}
!4 = !{!"workgroupSize", i32 32, i32 1, i32 1}

;--- attributes.ll
; ATTRIBUTES: lgc-opt: limit exceeded: outputs of the last vertex stage: 33 attributes, limit 32
define void @lgc.shader.MS() {
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 0.0, i32 30, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 0.0, i32 257, i32 0, i32 0, i32 0)
  ret void
}
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.mesh = !{!4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh"}
!2 = !{!"mesh.outputVertices", i32 3}
!3 = !{!"mesh.outputPrimitives", i32 1}
!4 = !{!"workgroupSize", i32 32, i32 1, i32 1}

; RUN: lgc-opt -passes=lgc-link-interface -verify-each %s -o - | FileCheck %s

; Only stores to the stream that is rasterised count. A point size that the vertex shader does not
; write reads as 0; its position is not read, so it goes. PrimitiveId is an output like any other.
; CHECK-LABEL: define void @lgc.shader.VS()
; CHECK-NOT: i32 512
; CHECK: call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 6, i32 0, i32 0, i32 poison)
; CHECK-NOT: output.store
; CHECK-LABEL: define void @lgc.shader.GS()
; CHECK: call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 0.000000e+00, i32 513, i32 0, i32 0, i32 1)
; CHECK-NEXT: call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %in, i32 0, i32 0, i32 0, i32 1)
; CHECK-NEXT: call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %id, i32 520, i32 0, i32 0, i32 1)
; CHECK-NEXT: call void @lgc.emit.vertex
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: (i32 0, i32 0, i32 0, i32 poison)
; CHECK: (i32 520, i32 0, i32 0, i32 poison)
define void @lgc.shader.VS() {
  %f = load volatile float, ptr addrspace(3) null
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 6, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.GS() {
  %in = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 6, i32 0, i32 0, i32 2)
  %size = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 513, i32 0, i32 0, i32 2)
  %id = load volatile i32, ptr addrspace(3) null
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %size, i32 513, i32 0, i32 0, i32 1)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %size, i32 9, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %in, i32 9, i32 0, i32 0, i32 1)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %id, i32 520, i32 0, i32 0, i32 1)
  call void @lgc.emit.vertex__void_i32(i32 1)
  ret void
}
define void @lgc.shader.FS() {
  %f = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 9, i32 0, i32 0, i32 poison)
  %id = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 520, i32 0, i32 0, i32 poison)
  store volatile float %f, ptr addrspace(3) null
  store volatile i32 %id, ptr addrspace(3) null
  ret void
}
declare void @lgc.emit.vertex__void_i32(i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32) nounwind willreturn memory(none)
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32) nounwind willreturn memory(none)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!2 = !{!"rasterStream", i32 1}

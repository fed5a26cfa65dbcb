; RUN: lgc-opt -passes=lgc-link-interface -verify-each %s -o - | FileCheck %s

; What a mesh shader reads back is moved with what it stores. Location 7 is for the fragment shader, and read back;
; location 5 is only read back: it stays, in the components that location 7 leaves free. Nobody reads location 6. Component 3 of
; location 7 is never stored: reading it gives some value, here 0.
; CHECK-LABEL: define void @lgc.shader.MS()
; CHECK: output.store__void_v2f32{{.*}}(<2 x float> %v, i32 0, i32 0, i32 0, i32 %i)
; CHECK: output.store__void_f32{{.*}}(float %f, i32 0, i32 2, i32 0, i32 %i)
; CHECK-NOT: output.store
; CHECK: [[B:%.*]] = call float @lgc.output.load__f32_i32_i32_i32_i32(i32 0, i32 2, i32 0, i32 %i)
; CHECK: [[P:%.*]] = call float @lgc.output.load__f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 %i)
; CHECK: insertelement <4 x float> zeroinitializer, float [[P]], i64 0
; CHECK: store volatile float [[B]]
define void @lgc.shader.MS() {
  %v = load volatile <2 x float>, ptr addrspace(3) null
  %f = load volatile float, ptr addrspace(3) null
  %i = load volatile i32, ptr addrspace(3) null
  call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> %v, i32 7, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 5, i32 2, i32 0, i32 %i)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 6, i32 2, i32 0, i32 %i)
  %b = call float @lgc.output.load__f32_i32_i32_i32_i32(i32 5, i32 2, i32 0, i32 %i)
  %all = call <4 x float> @lgc.output.load__v4f32_i32_i32_i32_i32(i32 7, i32 0, i32 0, i32 %i)
  %x = extractelement <4 x float> %all, i32 0
  %w = extractelement <4 x float> %all, i32 3
  %unused = call float @lgc.output.load__f32_i32_i32_i32_i32(i32 6, i32 2, i32 0, i32 %i)
  store volatile float %b, ptr addrspace(3) null
  store volatile float %x, ptr addrspace(3) null
  store volatile float %w, ptr addrspace(3) null
  ret void
}
define void @lgc.shader.FS() {
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %a = call <2 x float> @lgc.input.interpolate__v2f32_i32_i32_i32_v2f32(i32 7, i32 0, i32 0, <2 x float> %ij)
  store volatile <2 x float> %a, ptr addrspace(3) null
  ret void
}
declare void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare float @lgc.output.load__f32_i32_i32_i32_i32(i32, i32, i32, i32) nounwind willreturn memory(read)
declare <4 x float> @lgc.output.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32) nounwind willreturn memory(read)
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32) convergent nounwind willreturn memory(none)
declare <2 x float> @lgc.input.interpolate__v2f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>) nounwind willreturn memory(none)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh", !"fragment"}

; RUN: not lgc-opt -passes=lgc-link-interface %s -o /dev/null 2>&1 | FileCheck %s
; CHECK: lgc-opt: invalid input: location 3 component 1: vertex shader writes 32 bits, fragment shader reads 16 bits
define void @lgc.shader.VS() {
  %v = load volatile <2 x float>, ptr addrspace(3) null
  call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> %v, i32 3, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.FS() {
  %h = call half @lgc.input.load__f16_i32_i32_i32_i32(i32 3, i32 1, i32 0, i32 poison)
  store volatile half %h, ptr addrspace(3) null
  ret void
}
declare void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
declare half @lgc.input.load__f16_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}

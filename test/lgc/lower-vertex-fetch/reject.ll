; RUN: not lgc-opt -passes=lgc-lower-vertex-fetch %s -o - 2>&1 | FileCheck %s
; CHECK: lgc-opt: unsupported: vertex attribute at location 3 with format BGR565.unorm
define void @lgc.shader.VS() {
  %in0 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 3, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in0, ptr addrspace(1) null
  ret void
}
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.vertex.attributes = !{!10}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!10 = !{i32 3, i32 0, i32 0, !"BGR565.unorm"}

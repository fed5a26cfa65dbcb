; RUN: lgc-opt -passes=lgc-lower-vertex-fetch %s -o - | FileCheck %s
; A null descriptor (no records) gives zeros by itself; alpha has to be 1.
; CHECK: [[W:%.*]] = extractelement <4 x i32> {{%.*}}, i64 3
; CHECK: [[RECORDS:%.*]] = extractelement <4 x i32> %vertex.buffer, i64 2
; CHECK: [[NULL:%.*]] = icmp eq i32 [[RECORDS]], 0
; CHECK: select i1 [[NULL]], i32 1065353216, i32 [[W]]
define void @lgc.shader.VS() {
  %in0 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in0, ptr addrspace(1) null
  ret void
}
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!lgc.vertex.bindings = !{!3}
!lgc.vertex.attributes = !{!10}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{!"robustUnboundVertex", i32 1}
!3 = !{i32 0, i32 32, i32 0, i32 1}
!10 = !{i32 0, i32 0, i32 0, !"RGBA32.float"}

; RUN: not lgc-opt -passes=lgc-lower-vertex-fetch,lgc-lower-vertex-exports,lgc-lower-entry-point %s -o - 2>&1 | FileCheck %s

; 9 VGPRs of the hardware and 128 of attributes: LLVM returns no more than 136, so glue cannot.
; CHECK: part: vertex inputs make 12 SGPRs and 137 VGPRs at the entry, limits are 44 and 136
define void @lgc.shader.VS() {
  %in0 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in0, ptr addrspace(1) null
  %in1 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in1, ptr addrspace(1) null
  %in2 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 2, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in2, ptr addrspace(1) null
  %in3 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 3, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in3, ptr addrspace(1) null
  %in4 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 4, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in4, ptr addrspace(1) null
  %in5 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 5, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in5, ptr addrspace(1) null
  %in6 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 6, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in6, ptr addrspace(1) null
  %in7 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 7, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in7, ptr addrspace(1) null
  %in8 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 8, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in8, ptr addrspace(1) null
  %in9 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 9, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in9, ptr addrspace(1) null
  %in10 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 10, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in10, ptr addrspace(1) null
  %in11 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 11, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in11, ptr addrspace(1) null
  %in12 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 12, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in12, ptr addrspace(1) null
  %in13 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 13, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in13, ptr addrspace(1) null
  %in14 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 14, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in14, ptr addrspace(1) null
  %in15 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 15, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in15, ptr addrspace(1) null
  %in16 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 16, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in16, ptr addrspace(1) null
  %in17 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 17, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in17, ptr addrspace(1) null
  %in18 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 18, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in18, ptr addrspace(1) null
  %in19 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 19, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in19, ptr addrspace(1) null
  %in20 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 20, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in20, ptr addrspace(1) null
  %in21 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 21, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in21, ptr addrspace(1) null
  %in22 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 22, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in22, ptr addrspace(1) null
  %in23 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 23, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in23, ptr addrspace(1) null
  %in24 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 24, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in24, ptr addrspace(1) null
  %in25 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 25, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in25, ptr addrspace(1) null
  %in26 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 26, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in26, ptr addrspace(1) null
  %in27 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 27, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in27, ptr addrspace(1) null
  %in28 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 28, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in28, ptr addrspace(1) null
  %in29 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 29, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in29, ptr addrspace(1) null
  %in30 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 30, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in30, ptr addrspace(1) null
  %in31 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 31, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in31, ptr addrspace(1) null
  ret void
}
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateVertexFetch", i1 true}

; RUN: not lgc-opt -passes=lgc-lower-matrices %s -o - 2>&1 | FileCheck %s
; gfx12 has eight components of each factor in a lane.
; CHECK: lgc.matrix.muladd: no matrices of this target
define void @lgc.shader.CS(<16 x half> %a, <8 x float> %c, ptr %out) {
  %d = call <8 x float> @lgc.matrix.muladd__v8f32_i32_v16f16_v16f16_v8f32(i32 0, <16 x half> %a, <16 x half> %a, <8 x float> %c)
  store <8 x float> %d, ptr %out
  ret void
}
declare <8 x float> @lgc.matrix.muladd__v8f32_i32_v16f16_v16f16_v8f32(i32, <16 x half>, <16 x half>, <8 x float>)
!lgc.target = !{!0}
!0 = !{!"gfx1201"}

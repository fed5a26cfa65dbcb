; RUN: lgc-opt -passes=lgc-lower-vertex-exports %s -o - | FileCheck %s
; Only triangles are culled; lines pass through.
; CHECK-NOT: lgc.ngg.culling
; CHECK-DAG: !{!".graphics_registers", !".vgt_shader_stages_en", !".primgen_passthru_en", i64 1}
define void @lgc.shader.VS() {
  %vertex = call i32 @lgc.hw.value__i32_i32(i32 16)
  %x = uitofp i32 %vertex to float
  %v = insertelement <4 x float> <float 0.0, float 0.0, float 0.5, float 1.0>, float %x, i32 0
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 514, i32 1, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 516, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3, !4, !5, !6}
!6 = !{!"topology", !"lineList"}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"nggState.backfaceCulling", i32 1}
!3 = !{!"nggState.frustumCulling", i32 1}
!4 = !{!"nggState.smallPrimitiveFilter", i32 1}
!5 = !{!"nggState.cullDistanceCulling", i32 1}

; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each %s -o - | FileCheck %s

; Minimum sample shading: an invocation of two per pixel shades the samples id and id + 2.
; CHECK: [[SHIFTED:%.*]] = lshr i32 %Ancillary, 8
; CHECK: [[ID:%.*]] = and i32 [[SHIFTED]], 15
; CHECK: [[OWN:%.*]] = shl i32 5, [[ID]]
; CHECK: and i32 %SampleCoverage, [[OWN]]
; CHECK-DAG: !{!".graphics_registers", !".ps_iter_sample", i64 1}
; CHECK-DAG: !{!".ps_sample_mask", i64 1}
define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %mask = call i32 @lgc.builtin__i32_i32(i32 31)
  store volatile i32 %mask, ptr addrspace(1) %out
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3, !4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"numSamples", i32 4}
!3 = !{!"perSampleShading", i32 1}
!4 = !{!"pixelShaderSamples", i32 2}

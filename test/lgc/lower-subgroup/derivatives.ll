; RUN: lgc-opt -passes=lgc-lower-subgroup -verify-each %s -o - | FileCheck %s

; quad_perm controls: lanes to subtract, 2 bits each.
; CHECK-LABEL: @fine
; CHECK: [[TO:%.*]] = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 245, i32 15, i32 15, i1 true)
; CHECK: [[FROM:%.*]] = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 160, i32 15, i32 15, i1 true)
; CHECK: fsub float
define float @fine(float %v) {
  %d = call float @lgc.derivative__f32_i32_f32(i32 2, float %v)
  ret float %d
}
; CHECK-LABEL: @coarse
; CHECK: update.dpp.i32(i32 poison, i32 %{{.*}}, i32 170,
; CHECK: update.dpp.i32(i32 poison, i32 %{{.*}}, i32 0,
; CHECK: fsub <2 x half>
; CHECK-NOT: lgc.derivative
define <2 x half> @coarse(<2 x half> %v) {
  %d = call <2 x half> @lgc.derivative__v2f16_i32_v2f16(i32 5, <2 x half> %v)
  ret <2 x half> %d
}
declare float @lgc.derivative__f32_i32_f32(i32, float)
declare <2 x half> @lgc.derivative__v2f16_i32_v2f16(i32, <2 x half>)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

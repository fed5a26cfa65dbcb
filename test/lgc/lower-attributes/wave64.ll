; RUN: lgc-opt -passes=lgc-lower-attributes %s -o - | FileCheck %s

; More than 32 invocations: wave64 unless the state says otherwise; fp32 denormals are flushed.
; CHECK-NOT: num-vgpr
; CHECK: "amdgpu-flat-work-group-size"="33,33"
; CHECK-SAME: "denormal-fp-math"="ieee,ieee"
; CHECK-SAME: "denormal-fp-math-f32"="preserve-sign,preserve-sign"
; CHECK-SAME: "target-features"="+wavefrontsize64,-real-true16,-dot7-insts"
define void @lgc.shader.CS() {
  ret void
}
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1030"}
!1 = !{!"workgroupSize", i32 33, i32 1, i32 1}

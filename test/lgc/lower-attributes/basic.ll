; RUN: lgc-opt -passes=lgc-lower-attributes %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-attributes %s -o - | FileCheck --check-prefix=CPU %s

; 8 x 4 invocations fit one wave32. fp16 and fp64 share one denormal mode.
; CHECK: define void @lgc.shader.CS() [[ATTRS:#[0-9]+]]
; CHECK: define internal void @f() [[ATTRS]]
; CHECK: declare void @declared(){{$}}
; CHECK: attributes [[ATTRS]] = {
; CHECK-SAME: "amdgpu-flat-work-group-size"="32,32"
; CHECK-SAME: "amdgpu-num-sgpr"="48"
; CHECK-SAME: "amdgpu-num-vgpr"="64"
; CHECK-SAME: "amdgpu-waves-per-eu"="5"
; CHECK-SAME: "denormal-fp-math"="preserve-sign,preserve-sign"
; CHECK-SAME: "denormal-fp-math-f32"="ieee,ieee"
; CHECK-SAME: "target-cpu"="gfx1100"
; CHECK-SAME: "target-features"="+wavefrontsize32,-real-true16,-dot7-insts"
; CHECK-SAME: "uniform-work-group-size"="true"
; CPU: "target-cpu"="gfx1201"
define void @lgc.shader.CS() {
  call void @declared()
  call void @f()
  ret void
}
define internal void @f() {
  ret void
}
declare void @declared()
!lgc.target = !{!0}
!lgc.compute = !{!1, !2, !3, !4, !5, !6}
!0 = !{!"gfx1100"}
!1 = !{!"workgroupSize", i32 8, i32 4, i32 1}
!2 = !{!"fp16", !"flushDenorms"}
!3 = !{!"fp32"}
!4 = !{!"vgprLimit", i32 64}
!5 = !{!"sgprLimit", i32 48}
!6 = !{!"wavesPerEu", i32 5}

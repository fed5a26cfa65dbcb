; RUN: lgc-opt -passes=lgc-lower-attributes -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes=lgc-lower-attributes -mcpu=gfx1201 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX12

; Shaders get the wave size and the modes of the hardware stage they run in. Vertex and control
; shader share waves: denormals are kept because one of them wants that, the lower limit of VGPRs
; counts. Groups of several waves keep their barriers.
; CHECK: define void @lgc.shader.VS() [[HS:#[0-9]+]]
; CHECK: define void @lgc.shader.TCS() [[HS]]
; CHECK: define void @lgc.shader.TES() [[GS:#[0-9]+]]
; CHECK: define void @lgc.shader.FS() [[PS:#[0-9]+]]
; CHECK: attributes [[HS]] = { "amdgpu-flat-work-group-size"="128,128" "amdgpu-num-vgpr"="64" "denormal-fp-math"="ieee,ieee" "denormal-fp-math-f32"="ieee,ieee" "lgc-no-unroll"
; GFX10-SAME: "target-features"="+wavefrontsize32,
; GFX12-SAME: "target-features"="+wavefrontsize64,
; CHECK: attributes [[GS]] = { "amdgpu-flat-work-group-size"="128,128" "denormal-fp-math"="ieee,ieee" "denormal-fp-math-f32"="preserve-sign,preserve-sign"
; CHECK: attributes [[PS]] = { "denormal-fp-math"="ieee,ieee"
; CHECK-SAME: "target-features"="+wavefrontsize64,
define void @lgc.shader.VS() { ret void }
define void @lgc.shader.TCS() { ret void }
define void @lgc.shader.TES() { ret void }
define void @lgc.shader.FS() { ret void }
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.shader.vertex = !{!2, !3, !4}
!lgc.shader.tess.control = !{!5}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"tessControl", !"tessEval", !"fragment"}
!2 = !{!"fp32"}
!3 = !{!"vgprLimit", i32 64}
!4 = !{!"disableLoopUnroll", i32 1}
!5 = !{!"vgprLimit", i32 96}

; RUN: lgc-opt -passes=lgc-lower-attributes -mcpu=gfx1100 %s -o - | FileCheck %s
; A stage stays on one compute unit if all of its shaders say so. What propagates exactness is the shader's own.
; CHECK: define void @lgc.shader.VS() [[VS:#[0-9]+]]
; CHECK: define void @lgc.shader.TCS() [[TCS:#[0-9]+]]
; CHECK: define void @lgc.shader.TES() [[TES:#[0-9]+]]
; CHECK: define void @lgc.shader.FS() [[PS:#[0-9]+]]
; CHECK: attributes [[VS]] = {{.*}}"lgc-propagate-no-contract"="forward,backward" {{.*}}"target-features"="+wavefrontsize64,-real-true16,
; CHECK: attributes [[TCS]] = {{.*}}"target-features"="+wavefrontsize64,-real-true16,
; CHECK: attributes [[TES]] = {{.*}}"target-features"="+wavefrontsize64,+cumode,
; CHECK: attributes [[PS]] = {{.*}}"target-features"="+wavefrontsize64,+cumode,
define void @lgc.shader.VS() { ret void }
define void @lgc.shader.TCS() { ret void }
define void @lgc.shader.TES() { ret void }
define void @lgc.shader.FS() { ret void }
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.shader.vertex = !{!2, !3, !4}
!lgc.shader.tess.eval = !{!2}
!lgc.shader.fragment = !{!2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"tessControl", !"tessEval", !"fragment"}
!2 = !{!"wgpMode", i32 0}
!3 = !{!"forwardPropagateNoContract", i32 1}
!4 = !{!"backwardPropagateNoContract", i32 1}

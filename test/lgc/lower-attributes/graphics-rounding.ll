; RUN: not lgc-opt -passes=lgc-lower-attributes -mcpu=gfx1100 %s -o /dev/null 2>&1 | FileCheck %s
; RUN: sed 's/!"geometry", //' %s | lgc-opt -passes=lgc-lower-attributes -mcpu=gfx1010 - -o /dev/null

; CHECK: lgc-opt: unsupported: vertex and geometry shader run in the same waves and have different rounding modes
define void @lgc.shader.VS() { ret void }
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.shader.vertex = !{!2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!2 = !{!"fp16", !"roundTowardZero"}

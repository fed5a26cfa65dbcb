; RUN: not lgc-opt -passes=lgc-lower-fragment-outputs -mcpu=gfx1100 %s -o - 2>&1 | FileCheck %s

; A colour export shader that is linked behind: not there.
; CHECK: lgc-opt: unsupported: colour formats that are known only when the pipeline is linked
define void @lgc.shader.FS() {
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateColorExport", i32 1}

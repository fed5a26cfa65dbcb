; RUN: split-file %s %t
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -mcpu=gfx1100 %t/late.ll -o - | FileCheck %t/late.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -mcpu=gfx1100 %t/early.ll -o - | FileCheck %t/early.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -mcpu=gfx1100 %t/again.ll -o - | FileCheck %t/again.ll --check-prefix=AGAIN
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -mcpu=gfx1201 %t/again.ll -o - | FileCheck %t/again.ll --check-prefix=ONCE

;--- late.ll
; Tests stand behind the shader; fragments that fail need not run.
; CHECK-DAG: ".db_shader_control", !".z_order", i64 0}
; CHECK-DAG: ".db_shader_control", !".exec_on_hier_fail", i64 0}
define void @lgc.shader.FS() { ret void }
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.shader.fragment = !{!2, !3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"forceLateZ", i32 1}
!3 = !{!"allowReZ", i32 1}

;--- early.ll
; What the shader declares counts more.
; CHECK-DAG: ".db_shader_control", !".z_order", i64 1}
; CHECK-DAG: ".db_shader_control", !".depth_before_shader", i64 1}
define void @lgc.shader.FS() { ret void }
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!lgc.shader.fragment = !{!3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"fragment.earlyTests", i32 1}
!3 = !{!"forceLateZ", i32 1}

;--- again.ll
; gfx12 cannot repeat tests.
; AGAIN: ".db_shader_control", !".z_order", i64 3}
; ONCE: ".db_shader_control", !".z_order", i64 1}
define void @lgc.shader.FS() { ret void }
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.shader.fragment = !{!2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"allowReZ", i32 1}

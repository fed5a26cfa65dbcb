; RUN: split-file %s %t
; RUN: not lgc-opt -passes=lgc-lower-entry-point %t/value.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=VALUE
; RUN: not lgc-opt -passes=lgc-lower-entry-point %t/shader.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHADER
; RUN: not lgc-opt -passes=lgc-lower-entry-point %t/special.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=SPECIAL
; RUN: not lgc-opt -passes=lgc-lower-entry-point %t/type.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=TYPE

; VALUE: lgc-opt: internal error: hardware value GsVsOffset does not exist in .gs on gfx1100
;--- value.ll
define void @lgc.hw.GS() {
  %v = call i32 @lgc.hw.value__i32_i32(i32 5)
  store volatile i32 %v, ptr addrspace(3) null
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}

; SHADER: lgc-opt: unsupported: vertex shader has no lowering to a hardware stage
;--- shader.ll
define void @lgc.shader.VS() {
  ret void
}
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}

; SPECIAL: lgc-opt: internal error: lgc.special.user.data: MeshTaskDispatchDims takes 3 registers, the type does not
;--- special.ll
define void @lgc.hw.GS() {
  %v = call i32 @lgc.special.user.data__i32_i32(i32 268435474)
  store volatile i32 %v, ptr addrspace(3) null
  ret void
}
declare i32 @lgc.special.user.data__i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh", !"fragment"}

; TYPE: lgc-opt: internal error: lgc.hw.value PerspCenter: wrong type
;--- type.ll
define void @lgc.shader.FS() {
  %v = call float @lgc.hw.value__f32_i32(i32 32)
  store volatile float %v, ptr addrspace(3) null
  ret void
}
declare float @lgc.hw.value__f32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}

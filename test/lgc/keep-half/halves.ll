; RUN: sed s/HALF/fragment/ %s | lgc-opt -passes=lgc-keep-half -verify-each - -o - | FileCheck %s --check-prefix=FRAGMENT
; RUN: sed s/HALF/pre-rasterization/ %s | lgc-opt -passes=lgc-keep-half -verify-each - -o - | FileCheck %s --check-prefix=PRE
; RUN: sed s/HALF/both/ %s | lgc-opt -passes=lgc-keep-half -verify-each - -o - | FileCheck %s --check-prefix=BOTH

; The layer that the fragment shader reads has got a location behind the others in both halves.
; FRAGMENT-NOT: @lgc.shader.VS
; FRAGMENT-LABEL: define void @lgc.shader.FS()
; FRAGMENT: call i32 @lgc.input.load{{.*}}(i32 1, i32 0, i32 0, i32 poison)

; PRE-LABEL: define void @lgc.shader.VS()
; PRE: call void @lgc.output.store{{.*}}(i32 %layer, i32 1, i32 0, i32 0, i32 poison)
; PRE-NOT: @lgc.shader.FS

; BOTH-LABEL: define void @lgc.shader.VS()
; BOTH: ret void
; BOTH-LABEL: define void @lgc.shader.FS()
; BOTH: call i32 @lgc.input.load{{.*}}(i32 518, i32 0, i32 0, i32 poison)
define void @lgc.shader.VS() {
  %layer = load volatile i32, ptr addrspace(3) null
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 1.0, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %layer, i32 518, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.FS() {
  %layer = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 518, i32 0, i32 0, i32 poison)
  store volatile i32 %layer, ptr addrspace(3) null
  ret void
}
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32) nounwind willreturn memory(none)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"half", !"HALF"}

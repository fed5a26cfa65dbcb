; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1100 -verify-each %s -o - | FileCheck %s

; All stages of a pipeline share one spill table: it starts at the lowest dword that any of them
; reads there. The vertex stage has registers for all, the fragment stage not.
; CHECK: define amdgpu_gs void @_amdgpu_gs_main({{.*}} i32 inreg noundef %GlobalTable, i32 inreg noundef %userData100, i32 noundef
; CHECK: define amdgpu_ps void @_amdgpu_ps_main(i32 inreg noundef %GlobalTable, i32 inreg noundef %userData0, {{.*}} i32 inreg noundef %userData29, i32 inreg noundef %SpillTable, i32 inreg noundef %primMask
; CHECK: getelementptr i8, ptr addrspace(4) %spillTable, i32 120
; CHECK: .spill_threshold\1E
; CHECK-SAME: .user_data_limite
define void @lgc.hw.GS() {
  %data = call i32 @lgc.user.data__i32_i32(i32 100)
  store volatile i32 %data, ptr addrspace(3) null
  ret void
}
define void @lgc.shader.FS() {
  %a = call <16 x i32> @lgc.user.data__v16i32_i32(i32 0)
  %b = call <16 x i32> @lgc.user.data__v16i32_i32(i32 16)
  store volatile <16 x i32> %a, ptr addrspace(3) null
  store volatile <16 x i32> %b, ptr addrspace(3) null
  ret void
}
declare i32 @lgc.user.data__i32_i32(i32)
declare <16 x i32> @lgc.user.data__v16i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}

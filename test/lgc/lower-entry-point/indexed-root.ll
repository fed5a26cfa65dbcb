; RUN: lgc-opt -passes=lgc-lower-entry-point %s -o - | FileCheck %s

; Computed addresses into the root reach push constants and arrays of dynamic buffers alike: the
; spill table holds both, whichever of them the shader indexes.
; CHECK: .spill_threshold\04
; CHECK-SAME: .user_data_limit\10
define void @lgc.shader.CS() {
  %table = call ptr addrspace(4) @lgc.spill.table__p4()
  %a = getelementptr i8, ptr addrspace(4) %table, i32 16
  %v = load volatile i32, ptr addrspace(4) %a
  ret void
}
declare ptr addrspace(4) @lgc.spill.table__p4()
!lgc.target = !{!0}
!lgc.user.data = !{!1, !2, !3, !4}
!0 = !{!"gfx1100"}
!1 = !{!"DescriptorTableVaPtr", i32 1, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"DescriptorBuffer", i32 8, i32 4, i32 0, i32 1, i32 4}
!3 = !{!"PushConst", i32 4, i32 12, i32 0, i32 0, i32 0}
!4 = !{!"DescriptorConstBuffer", i32 4, i32 16, i32 0, i32 2, i32 4}

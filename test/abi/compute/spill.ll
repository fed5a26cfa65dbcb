; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck %s

; 128 bytes of push constants and a set pointer: 14 dwords in registers, the lowest that is loaded
; from the spill table is the threshold.
; CHECK: .user_data_reg_map: [0x10000000, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 32, 0x10000002]
; CHECK-NEXT: .user_sgprs: 16
; CHECK: .spill_threshold: 13
; CHECK: .user_data_limit: 33
define void @lgc.shader.CS() {
  %a = call <16 x i32> @lgc.user.data__v16i32_i32(i32 0)
  %b = call <16 x i32> @lgc.user.data__v16i32_i32(i32 16)
  %sum = add <16 x i32> %a, %b
  %low = call i32 @lgc.user.data__i32_i32(i32 32)
  %p = inttoptr i32 %low to ptr addrspace(1)
  store <16 x i32> %sum, ptr addrspace(1) %p
  ret void
}
declare i32 @lgc.user.data__i32_i32(i32)
declare <16 x i32> @lgc.user.data__v16i32_i32(i32)
!lgc.target = !{!0}
!lgc.user.data = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"PushConst", i32 32, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"DescriptorTableVaPtr", i32 1, i32 32, i32 0, i32 0, i32 0}

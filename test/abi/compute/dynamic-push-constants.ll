; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck %s

; A push constant at a computed offset: all of them must be in the spill table; the one at a constant
; offset is in a register as well.
; CHECK: .user_data_reg_map: [0x10000000, 3, 0x10000002]
; CHECK: .spill_threshold: 2
; CHECK: .user_data_limit: 34
define void @lgc.shader.CS() {
  %id = call <3 x i32> @lgc.builtin__v3i32_i32(i32 0)
  %x = extractelement <3 x i32> %id, i32 0
  %pc = call ptr addrspace(4) @lgc.push.const__p4()
  %q1 = getelementptr i8, ptr addrspace(4) %pc, i64 4
  %low = load i32, ptr addrspace(4) %q1
  %q = getelementptr i32, ptr addrspace(4) %pc, i32 %x
  %v = load i32, ptr addrspace(4) %q
  %p = inttoptr i32 %low to ptr addrspace(1)
  store i32 %v, ptr addrspace(1) %p
  ret void
}
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
declare ptr addrspace(4) @lgc.push.const__p4()
!lgc.target = !{!0}
!lgc.user.data = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"PushConst", i32 32, i32 2, i32 0, i32 0, i32 0}

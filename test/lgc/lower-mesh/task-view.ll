; RUN: lgc-opt -passes=lgc-lower-mesh -verify-each %s -o - | FileCheck %s
; RUN: sed 's/enableMultiView", i32 1/enableMultiView", i32 0/' %s | lgc-opt -passes=lgc-lower-mesh -verify-each - -o - | FileCheck %s --check-prefix=NONE
; RUN: sed '/^!lgc.user.data/d' %s | not lgc-opt -passes=lgc-lower-mesh -verify-each - -o /dev/null 2>&1 | FileCheck %s --check-prefix=WITHOUT
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s

; ViewIndex of a task shader is a root entry of its own, because PAL writes user data ViewId for graphics stages only;
; without views it is 0.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK-NOT: 268435467
; CHECK: [[VIEW:%.*]] = call i32 @lgc.user.data__i32_i32(i32 7)
; CHECK-NOT: 268435467
; CHECK: [[COUNT:%.*]] = add i32 [[VIEW]], 1
; CHECK: raw.buffer.store.v3i32(
; NONE-LABEL: define void @lgc.shader.CS()
; NONE-NOT: lgc.user.data
; NONE: raw.buffer.store.v3i32(
; WITHOUT: unsupported: ViewIndex of a task shader with multiview: the resource mapping has no root entry for it (InlineBuffer, set 4294967280, binding 16)
; ASM: .cs:
; ASM: .user_data_reg_map:
; ASM-NOT: .user_sgprs
; ASM: - 0x7{{ *$}}
define void @lgc.shader.TS() {
  %view = call i32 @lgc.builtin__i32_i32(i32 21)
  %count = add i32 %view, 1
  call void @lgc.emit.mesh.tasks__void_i32_i32_i32(i32 %count, i32 1, i32 1)
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare void @lgc.emit.mesh.tasks__void_i32_i32_i32(i32, i32, i32)
!lgc.target = !{!0}
!lgc.user.data = !{!4}
!lgc.graphics = !{!1, !2}
!lgc.shader.task = !{!3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"task"}
!2 = !{!"enableMultiView", i32 1}
!3 = !{!"workgroupSize", i32 1, i32 1, i32 1}
!4 = !{!"InlineBuffer", i32 1, i32 7, i32 -16, i32 16, i32 0}

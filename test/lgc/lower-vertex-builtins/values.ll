; RUN: lgc-opt -passes=lgc-lower-vertex-builtins %s -o - | FileCheck %s

; CHECK-LABEL: define void @lgc.shader.VS()
; CHECK: [[ID:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 16)
; CHECK: [[BASE:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435459)
; CHECK: [[VERTEX:%.*]] = add i32 [[ID]], [[BASE]]
; CHECK: [[FIRST:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435460)
; CHECK: [[NUMBER:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 18)
; CHECK: [[INSTANCE:%.*]] = add i32 [[NUMBER]], [[FIRST]]
; CHECK: [[BV:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435459)
; CHECK: [[BI:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435460)
; CHECK: [[DRAW:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435461)
; CHECK: [[VIEW:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435467)
; CHECK: store volatile i32 [[VERTEX]]
; CHECK: store volatile i32 [[INSTANCE]]
; CHECK: store volatile i32 [[BV]]
; CHECK: store volatile i32 [[BI]]
; CHECK: store volatile i32 [[DRAW]]
; CHECK: store volatile i32 [[VIEW]]
define void @lgc.shader.VS() {
  %vertex = call i32 @lgc.builtin__i32_i32(i32 16)
  %instance = call i32 @lgc.builtin__i32_i32(i32 17)
  %bv = call i32 @lgc.builtin__i32_i32(i32 18)
  %bi = call i32 @lgc.builtin__i32_i32(i32 19)
  %draw = call i32 @lgc.builtin__i32_i32(i32 20)
  %view = call i32 @lgc.builtin__i32_i32(i32 21)
  store volatile i32 %vertex, ptr addrspace(1) null
  store volatile i32 %instance, ptr addrspace(1) null
  store volatile i32 %bv, ptr addrspace(1) null
  store volatile i32 %bi, ptr addrspace(1) null
  store volatile i32 %draw, ptr addrspace(1) null
  store volatile i32 %view, ptr addrspace(1) null
  ret void
}

; The view is the same for all stages; the others are vertex shaders' only.
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: [[VIEW:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435467)
; CHECK: call i32 @lgc.builtin__i32_i32(i32 20)
; CHECK: store volatile i32 [[VIEW]]
define void @lgc.shader.FS() {
  %view = call i32 @lgc.builtin__i32_i32(i32 21)
  %draw = call i32 @lgc.builtin__i32_i32(i32 20)
  store volatile i32 %view, ptr addrspace(1) null
  store volatile i32 %draw, ptr addrspace(1) null
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"enableMultiView", i32 1}

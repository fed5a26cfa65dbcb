; RUN: lgc-opt -passes=lgc-pass-entry-values %s -o - | FileCheck %s
; What a function asks of the entry point is a parameter, also of those that call it; the local id alone differs
; between lanes.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK-DAG: [[ID:%.*]] = call <3 x i32> @lgc.builtin__v3i32_i32(i32 15)
; CHECK-DAG: [[DATA:%.*]] = call i32 @lgc.user.data__i32_i32(i32 3)
; CHECK: call amdgpu_gfx void @outer(i32 1, i32 inreg [[DATA]], <3 x i32> [[ID]])
define void @lgc.shader.CS() {
  call amdgpu_gfx void @outer(i32 1)
  ret void
}
; CHECK: define internal amdgpu_gfx void @outer(i32 %n, i32 inreg [[DATA1:%.*]], <3 x i32> [[ID1:%.*]])
; CHECK: call amdgpu_gfx i32 @inner(i32 %n, <3 x i32> [[ID1]], i32 inreg [[DATA1]])
; CHECK: store i32 [[DATA1]]
define internal amdgpu_gfx void @outer(i32 %n) noinline {
  %v = call amdgpu_gfx i32 @inner(i32 %n)
  %data = call i32 @lgc.user.data__i32_i32(i32 3)
  store i32 %data, ptr addrspace(1) null
  ret void
}
; CHECK: define internal amdgpu_gfx i32 @inner(i32 %n, <3 x i32> [[ID2:%.*]], i32 inreg [[DATA2:%.*]])
; CHECK-NOT: lgc.
; CHECK: call amdgpu_gfx void @outer(i32 %n, i32 inreg [[DATA2]], <3 x i32> [[ID2]])
; CHECK: extractelement <3 x i32> [[ID2]], i32 0
define internal amdgpu_gfx i32 @inner(i32 %n) noinline {
  call amdgpu_gfx void @outer(i32 %n)
  %id = call <3 x i32> @lgc.builtin__v3i32_i32(i32 15)
  %x = extractelement <3 x i32> %id, i32 0
  ret i32 %x
}
declare i32 @lgc.user.data__i32_i32(i32)
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

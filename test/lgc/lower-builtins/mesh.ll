; RUN: lgc-opt -passes=lgc-lower-builtins,early-cse -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -passes=lgc-lower-builtins,early-cse -mcpu=gfx1030 -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX10 %s

; Invocations of a mesh shader are numbered by the hardware stage: wave and lane. The local id stands
; in v0 on gfx11 and later, else it follows from the number. Counts of workgroups are user data, the
; workgroup's id is left to lgc-lower-mesh.
; CHECK-LABEL: define void @lgc.shader.MS()
; CHECK: call <3 x i32> @lgc.builtin__v3i32_i32(i32 0)
; CHECK: call <3 x i32> @lgc.special.user.data__v3i32_i32(i32 268435474)
; GFX11: [[PACKED:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 26)
; GFX11: [[X:%.*]] = and i32 [[PACKED]], 1023
; GFX11: [[HIGH:%.*]] = lshr i32 [[PACKED]], 20
; GFX11: [[Z:%.*]] = and i32 [[HIGH]], 1023
; CHECK: [[INFO:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 0)
; CHECK: [[SHIFTED:%.*]] = lshr i32 [[INFO]], 24
; CHECK: [[WAVE:%.*]] = and i32 [[SHIFTED]], 15
; CHECK: [[FIRST:%.*]] = mul nuw nsw i32 [[WAVE]], 64
; CHECK: [[INDEX:%.*]] = add nuw nsw i32 [[FIRST]], {{%.*}}
; GFX10: [[X:%.*]] = urem i32 [[INDEX]], 16
; GFX10: [[Z:%.*]] = udiv i32 [[INDEX]], 16
; CHECK: store volatile i32 [[INDEX]]
; CHECK: store volatile i32 [[WAVE]]
; CHECK: store volatile i32 [[X]]
; CHECK: store volatile i32 [[Z]]
define void @lgc.shader.MS() {
  %index = call i32 @lgc.builtin__i32_i32(i32 3)
  %wave = call i32 @lgc.builtin__i32_i32(i32 5)
  %local = call <3 x i32> @lgc.builtin__v3i32_i32(i32 2)
  %x = extractelement <3 x i32> %local, i32 0
  %z = extractelement <3 x i32> %local, i32 2
  %n = call <3 x i32> @lgc.builtin__v3i32_i32(i32 1)
  %wg = call <3 x i32> @lgc.builtin__v3i32_i32(i32 0)
  store volatile i32 %index, ptr addrspace(1) null
  store volatile i32 %wave, ptr addrspace(1) null
  store volatile i32 %x, ptr addrspace(1) null
  store volatile i32 %z, ptr addrspace(1) null
  store volatile <3 x i32> %n, ptr addrspace(1) null
  store volatile <3 x i32> %wg, ptr addrspace(1) null
  ret void
}
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
declare i32 @lgc.builtin__i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.shader.mesh = !{!2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh"}
!2 = !{!"workgroupSize", i32 16, i32 1, i32 8}

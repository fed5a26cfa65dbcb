; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-builtins,lgc-lower-mesh -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-builtins,lgc-lower-mesh -verify-each %s -o - | FileCheck --check-prefix=HW %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s

; gfx10.3 does not count invocations of task and mesh shaders nor primitives: the first invocation of
; a workgroup adds them to the driver's counters. Later targets count by themselves.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: call i32 @lgc.special.user.data__i32_i32(i32 268435476)
; CHECK: br i1 %is.first
; CHECK: [[TASKS:%.*]] = getelementptr {{.*}}, i64 16
; CHECK: atomicrmw add ptr addrspace(1) [[TASKS]], i64 24 syncscope("agent") monotonic
; CHECK: call void @llvm.amdgcn.raw.buffer.store.v3i32(
; CHECK-LABEL: define void @lgc.hw.GS()
; CHECK: %primitives = lshr i32
; CHECK: sendmsg(i32 9
; CHECK: statistics:
; CHECK: atomicrmw add ptr addrspace(1) {{%.*}}, i64 20 syncscope("agent") monotonic
; CHECK: [[PLACE:%.*]] = getelementptr {{.*}} ptr addrspace(1) {{%.*}}, i64 8
; CHECK: [[PRIMITIVES:%.*]] = zext i32 %primitives to i64
; CHECK: atomicrmw add ptr addrspace(1) [[PLACE]], i64 [[PRIMITIVES]] syncscope("agent") monotonic
; HW-NOT: atomicrmw

; ASM-LABEL: _amdgpu_cs_main:
; ASM: global_atomic_add_x2
; ASM-LABEL: _amdgpu_gs_main:
; ASM: global_atomic_add_x2
; ASM: global_atomic_add_x2
; ASM: 0x10000014
define void @lgc.shader.TS() {
  call void @lgc.emit.mesh.tasks__void_i32_i32_i32(i32 1, i32 1, i32 1)
  ret void
}

define void @lgc.shader.MS() {
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 3, i32 1)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 512, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_v3i32_i32_i32_i32_i32(<3 x i32> <i32 0, i32 1, i32 2>, i32 525, i32 0, i32 0, i32 0)
  ret void
}
declare void @lgc.emit.mesh.tasks__void_i32_i32_i32(i32, i32, i32)
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v3i32_i32_i32_i32_i32(<3 x i32>, i32, i32, i32, i32)

!lgc.graphics = !{!0, !1, !2}
!lgc.shader.task = !{!3}
!lgc.shader.mesh = !{!4}
!lgc.options = !{!5}
!0 = !{!"stages", !"task", !"mesh", !"fragment"}
!1 = !{!"mesh.outputVertices", i32 3}
!2 = !{!"mesh.outputPrimitives", i32 1}
!3 = !{!"workgroupSize", i32 8, i32 3, i32 1}
!4 = !{!"workgroupSize", i32 20, i32 1, i32 1}
!5 = !{!"meshShaderQueries", i32 1}

; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-builtins,lgc-lower-mesh -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-builtins,lgc-lower-mesh -verify-each %s -o - | FileCheck --check-prefix=HW %s

; With CullPrimitive each lane that has a primitive knows whether it counts, and the first invocation adds its
; workgroup's invocations only.
; CHECK-LABEL: define void @lgc.hw.GS()
; CHECK: {{^}}statistics:
; CHECK: atomicrmw add ptr addrspace(1) {{%.*}}, i64 20 syncscope("agent") monotonic
; CHECK-NOT: atomicrmw
; CHECK: {{^}}primitive:
; CHECK: [[CULLED:%.*]] = load i32, ptr addrspace(3)
; CHECK: [[KEPT:%.*]] = icmp eq i32 [[CULLED]], 0
; CHECK: br i1 [[KEPT]], label %counted, label %counted.end
; CHECK: {{^}}counted:
; CHECK: [[PLACE:%.*]] = getelementptr {{.*}} ptr addrspace(1) {{%.*}}, i64 8
; CHECK: atomicrmw add ptr addrspace(1) [[PLACE]], i64 1 syncscope("agent") monotonic
; CHECK-NOT: atomicrmw
; CHECK: call void @llvm.amdgcn.exp.i32(i32 20
; HW-NOT: atomicrmw

; A wave adds once, what its lanes have together.
; ASM-LABEL: _amdgpu_gs_main:
; ASM: global_atomic_add_x2
; ASM: s_bcnt1_i32_b32
; ASM: global_atomic_add_x2
; ASM: exp prim
define void @lgc.shader.MS() {
  %lane = call i32 @lgc.user.data__i32_i32(i32 0)
  %cull = and i32 %lane, 1
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 3, i32 20)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 512, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_v3i32_i32_i32_i32_i32(<3 x i32> <i32 0, i32 1, i32 2>, i32 525, i32 0, i32 0, i32 %lane)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %cull, i32 524, i32 0, i32 0, i32 %lane)
  ret void
}
declare i32 @lgc.user.data__i32_i32(i32)
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v3i32_i32_i32_i32_i32(<3 x i32>, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)

!lgc.graphics = !{!0, !1, !2}
!lgc.shader.mesh = !{!3}
!lgc.options = !{!4}
!0 = !{!"stages", !"mesh", !"fragment"}
!1 = !{!"mesh.outputVertices", i32 3}
!2 = !{!"mesh.outputPrimitives", i32 20}
!3 = !{!"workgroupSize", i32 20, i32 1, i32 1}
!4 = !{!"meshShaderQueries", i32 1}

; RUN: lgc-opt -passes=lgc-lower-builtins,lgc-lower-mesh -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -passes=lgc-lower-builtins,lgc-lower-mesh -mcpu=gfx1100 -verify-each %s -o - | FileCheck --check-prefix=GFX11 %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=ASM,ASM10 %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=ASM,ASM11 %s

; Every launch is along x: the hardware counts workgroups in x alone. The mesh shader's entry of the
; ring is its user data; older contents of the entry are dropped from the caches. gfx10.3 has the
; workgroup's number in the vertex id of the first lane.
; CHECK-LABEL: define void @lgc.hw.GS()
; CHECK: %is.first = icmp eq i32
; CHECK-NEXT: fence syncscope("agent") acquire
; CHECK: first:
; CHECK: [[VERTEX:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 16)
; CHECK-NEXT: store i32 [[VERTEX]], ptr addrspace(3) getelementptr {{.*}} (i8, ptr addrspace(3) @lgc.mesh.outputs, i32 8), align 4
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK: [[LOADED:%.*]] = load i32, ptr addrspace(3) getelementptr {{.*}} (i8, ptr addrspace(3) @lgc.mesh.outputs, i32 8), align 4
; CHECK-NEXT: [[FLAT:%.*]] = call i32 @llvm.amdgcn.readfirstlane.i32(i32 [[LOADED]])
; CHECK-NEXT: insertelement <3 x i32> poison, i32 [[FLAT]], i64 0
; CHECK-NEXT: insertelement <3 x i32> {{%.*}}, i32 0, i64 1
; CHECK: [[ENTRY:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435475)
; CHECK: shl i32 [[ENTRY]], 14

; GFX11-LABEL: define void @lgc.hw.GS()
; GFX11: [[XY:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 2)
; GFX11: [[Z:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 6)
; GFX11: and i32 [[XY]], 65535
; GFX11: lshr i32 [[XY]], 16
; GFX11: lshr i32 [[Z]], 16

; ASM: .mesh_linear_dispatch_from_task: true
; ASM10: .es_stage_en: 0x2
; ASM11-NOT: .offchip_lds_en
; ASM: .type: TaskMesh
define void @lgc.shader.TS() {
  call void @lgc.emit.mesh.tasks__void_i32_i32_i32(i32 2, i32 1, i32 1)
  ret void
}
define void @lgc.shader.MS() {
  %p = call ptr addrspace(7) @lgc.task.payload__p7()
  %wg = call <3 x i32> @lgc.builtin__v3i32_i32(i32 0)
  %wx = extractelement <3 x i32> %wg, i32 0
  %wz = extractelement <3 x i32> %wg, i32 2
  %w = add i32 %wx, %wz
  %q = getelementptr i32, ptr addrspace(7) %p, i32 %w
  %v = load i32, ptr addrspace(7) %q, align 4
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 %v, i32 %v)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 512, i32 0, i32 0, i32 %v)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %v, i32 525, i32 0, i32 0, i32 %v)
  ret void
}
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
declare ptr addrspace(7) @lgc.task.payload__p7()
declare void @lgc.emit.mesh.tasks__void_i32_i32_i32(i32, i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3, !4}
!lgc.shader.mesh = !{!5}
!lgc.shader.task = !{!6}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"task", !"mesh"}
!2 = !{!"mesh.output", !"points"}
!3 = !{!"mesh.outputVertices", i32 32}
!4 = !{!"mesh.outputPrimitives", i32 32}
!5 = !{!"workgroupSize", i32 32, i32 1, i32 1}
!6 = !{!"workgroupSize", i32 1, i32 1, i32 1}

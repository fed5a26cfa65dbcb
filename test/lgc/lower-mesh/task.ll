; RUN: lgc-opt -passes=lgc-lower-builtins,lgc-lower-mesh -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=ASM,GFX10 %s
; RUN: lgc-opt -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=ASM,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=ASM,GFX12 %s

; All ways out meet; one without emit.mesh.tasks launches 0 workgroups. The payload is visible to
; the device before the draw data, whose ready bit comes last.
; CHECK-LABEL: define void @lgc.shader.CS()
; Entry of the ring: first + (z * height + y) * width + x.
; CHECK: [[ID:%.*]] = call <3 x i32> @lgc.builtin__v3i32_i32(i32 0)
; CHECK: [[DIMS:%.*]] = call <3 x i32> @lgc.special.user.data__v3i32_i32(i32 268435474)
; CHECK: [[FIRST:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435475)
; CHECK: %ring.entry = add i32 [[FIRST]], {{%.*}}
; CHECK: %payload.ring = call <4 x i32> @lgc.driver.table__v4i32_i32(i32 52)
; CHECK: [[SIZE:%.*]] = extractelement <4 x i32> %payload.ring, i64 2
; CHECK: [[LAST:%.*]] = sub i32 [[SIZE]], 16384
; CHECK: [[BYTES:%.*]] = shl i32 %ring.entry, 14
; CHECK: and i32 [[BYTES]], [[LAST]]
; DrawIndex is the dispatch's number.
; CHECK: call i32 @lgc.special.user.data__i32_i32(i32 268435461)
; CHECK: %is.first = icmp eq i32
; CHECK: task.exit:
; CHECK-NEXT: phi i32 [ %y, %emit ], [ 1, %out ]
; CHECK-NEXT: phi i32 [ %x, %emit ], [ 0, %out ]
; CHECK-NEXT: fence syncscope("agent") release
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: br i1 %is.first
; CHECK: %draw.data.ring = call <4 x i32> @lgc.driver.table__v4i32_i32(i32 56)
; CHECK: call void @llvm.amdgcn.raw.buffer.store.v3i32(
; CHECK: fence syncscope("agent") release
; CHECK: [[PASS:%.*]] = shl i32 %ring.entry, 4
; CHECK: [[BIT:%.*]] = and i32 [[PASS]], {{%.*}}
; CHECK: [[ODD:%.*]] = icmp ne i32 [[BIT]], 0
; CHECK: [[READY:%.*]] = zext i1 [[ODD]] to i8
; CHECK: call void @llvm.amdgcn.raw.buffer.store.i8(i8 [[READY]], <4 x i32> %draw.data.ring, i32 12,
; CHECK: ret void

; ASM-LABEL: _amdgpu_cs_main:
; GFX10: s_load_dwordx8 {{.*}}, 0xd0
; GFX10: s_waitcnt_vscnt null, 0x0
; GFX10: s_barrier
; GFX10: buffer_store_dwordx3 v[{{[0-9:]+}}], off, s[{{[0-9:]+}}], s{{[0-9]+}}
; GFX10: s_waitcnt_vscnt null, 0x0
; GFX10: buffer_store_byte v{{[0-9]+}}, off, s[{{[0-9:]+}}], s{{[0-9]+}} offset:12
; GFX11: s_barrier
; GFX11: buffer_store_b96
; GFX11: s_waitcnt_vscnt null, 0x0
; GFX11: buffer_store_b8 {{.*}} offset:12
; GFX12: s_barrier_signal -1
; GFX12: buffer_store_b96 {{.*}} scope:SCOPE_SYS
; GFX12: s_wait_storecnt 0x0
; GFX12: buffer_store_b8 {{.*}} offset:12 scope:SCOPE_SYS
; ASM: .threadgroup_dimensions:
; ASM-NEXT: - 0x8
; ASM-NEXT: - 0x8
; ASM-NEXT: - 0x2
; ASM: .user_data_reg_map:
; ASM-NEXT: - 0x10000000
; ASM-NEXT: - 0x10000005
; ASM-NEXT: - 0x10000012
; ASM-NEXT: - 0xffffffff
; ASM-NEXT: - 0xffffffff
; ASM-NEXT: - 0x10000013
define void @lgc.shader.TS() "amdgpu-flat-work-group-size"="128,128" {
  %p = call ptr addrspace(7) @lgc.task.payload__p7()
  %i = call i32 @lgc.builtin__i32_i32(i32 3)
  %d = call i32 @lgc.builtin__i32_i32(i32 20)
  %q = getelementptr i32, ptr addrspace(7) %p, i32 %i
  store i32 %d, ptr addrspace(7) %q, align 4
  %n = call <3 x i32> @lgc.builtin__v3i32_i32(i32 1)
  %x = extractelement <3 x i32> %n, i32 0
  %y = extractelement <3 x i32> %n, i32 1
  %small = icmp ult i32 %x, 5
  br i1 %small, label %emit, label %out
emit:
  call void @lgc.emit.mesh.tasks__void_i32_i32_i32(i32 %x, i32 %y, i32 1)
  ret void
out:
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
declare ptr addrspace(7) @lgc.task.payload__p7()
declare void @lgc.emit.mesh.tasks__void_i32_i32_i32(i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.task = !{!4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"task"}
!2 = !{!"mesh.outputVertices", i32 3}
!3 = !{!"mesh.outputPrimitives", i32 1}
!4 = !{!"workgroupSize", i32 8, i32 8, i32 2}

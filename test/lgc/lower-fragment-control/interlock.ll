; RUN: lgc-opt -passes=lgc-lower-fragment-control -verify-each -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefix=GFX10
; RUN: lgc-opt -passes=lgc-lower-fragment-control -verify-each -mcpu=gfx1100 %s -o - | FileCheck %s --check-prefix=GFX11
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1010 %s -o - | FileCheck %s --check-prefix=ASM10
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefix=ASM10
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1150 %s -o - | FileCheck %s --check-prefix=ASM11
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1201 %s -o - | FileCheck %s --check-prefix=ASM12

; The critical section. gfx10: wait until the newest older wave that overlaps this one has left, by numbers; leave with a
; message. gfx11+: wait for the right to export.
; GFX10: %CollisionWaveId = call i32 @lgc.hw.value__i32_i32
; GFX10: [[C:%.*]] = icmp slt i32 %CollisionWaveId, 0
; GFX10: br i1 [[C]], label %interlock.overlapped, label %[[REST:.*]]
; GFX10: interlock.overlapped:
; GFX10: call void @llvm.amdgcn.s.setreg(i32 4121,
; GFX10: interlock.check:
; GFX10: call i32 @llvm.amdgcn.pops.exiting.wave.id()
; GFX10: interlock.sleep:
; GFX10: br label %interlock.check
; GFX10: [[REST]]:
; GFX10: fence syncscope("agent") acquire
; GFX10: fence syncscope("agent") release
; GFX10: call void @llvm.amdgcn.s.sendmsg(i32 7, i32 %PrimMask)
; GFX11: call void @llvm.amdgcn.sched.barrier(i32 0)
; GFX11: call void @llvm.amdgcn.s.wait.event.export.ready()
; GFX11: fence syncscope("agent") acquire
; GFX11: store i32
; GFX11: fence syncscope("agent") release
; GFX11-NEXT: ret void
; ASM10: buffer_store_dword
; ASM10: s_sendmsg sendmsg(MSG_ORDERED_PS_DONE)
; ASM10: exp mrt0 {{.*}} done vm
; ASM10: s_mov_b32 {{.*}}, src_pops_exiting_wave_id
; ASM10-DAG: .load_collision_waveid: true
; ASM10-DAG: .primitive_ordered_pixel_shader: true
; ASM10-DAG: .ps_dummy_export: true
; ASM11: s_wait_event 0x0
; ASM11: buffer_store_b32
; ASM11: exp mrt0 {{.*}} done
; ASM11: .primitive_ordered_pixel_shader: true
; ASM12: s_wait_event 0x2
define void @lgc.shader.FS() {
  %h = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 0, i32 0)
  %p = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h, i32 0)
  call void @lgc.interlock__void_i32(i32 1)
  %x = load i32, ptr addrspace(7) %p
  %y = add i32 %x, 1
  store i32 %y, ptr addrspace(7) %p
  call void @lgc.interlock__void_i32(i32 0)
  ret void
}
declare void @lgc.interlock__void_i32(i32)
declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32)
declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!lgc.user.data = !{!3}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"fragment.interlock", !"pixelOrdered"}
!3 = !{!"DescriptorBuffer", i32 4, i32 0, i32 0, i32 0, i32 0}

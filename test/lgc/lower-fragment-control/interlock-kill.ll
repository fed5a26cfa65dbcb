; RUN: lgc-opt -passes=lgc-lower-fragment-control -verify-each -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes=lgc-lower-fragment-control -verify-each -mcpu=gfx1100 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1010 %s -o - | FileCheck %s --check-prefix=ASM10
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefix=ASM10

; A wave must not end in its critical section: kills go to the end, where the section ends before they have their effect.
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: fence syncscope("agent") acquire
; CHECK-NOT: amdgcn.kill
; CHECK: br i1 %c, label %gone, label %rest
; CHECK: gone:
; CHECK-NEXT: br label %[[END:.*]]
; CHECK: [[END]]:
; CHECK-NEXT: %survives = phi i1 [ true, %rest ], [ false, %gone ]
; CHECK-NEXT: fence syncscope("agent") release
; GFX10-NEXT: call void @llvm.amdgcn.s.sendmsg(i32 7, i32 %PrimMask)
; GFX10-NEXT: call void @llvm.amdgcn.kill(i1 %survives)
; GFX11-NEXT: call void @llvm.amdgcn.kill(i1 %survives)
; CHECK-NEXT: ret void
; ASM10: buffer_load_dword
; ASM10-NOT: s_endpgm
; ASM10: s_sendmsg sendmsg(MSG_ORDERED_PS_DONE)
define void @lgc.shader.FS() {
  %h = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 0, i32 0)
  %p = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h, i32 0)
  call void @lgc.interlock__void_i32(i32 1)
  %x = load i32, ptr addrspace(7) %p
  %c = icmp eq i32 %x, 7
  br i1 %c, label %gone, label %rest
gone:
  call void @lgc.kill__void()
  unreachable
rest:
  %y = add i32 %x, 1
  store i32 %y, ptr addrspace(7) %p
  call void @lgc.interlock__void_i32(i32 0)
  ret void
}
declare void @lgc.kill__void()
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

; RUN: lgc-opt -passes=lgc-lower-descriptors -verify-each %s -o - | FileCheck %s

; phi and select of handles of one binding become phi and select of indices, also round a loop.

; CHECK-LABEL: define void @lgc.shader.CS()
define void @lgc.shader.CS() {
entry:
  %i = call i32 @lgc.builtin__i32_i32(i32 3)
  %c = icmp eq i32 %i, 7
  %h0 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 1, i32 0)
  %h1 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 1, i32 %i)
  ; CHECK: [[SELECT:%.*]] = select i1 %c, i32 0, i32 %i
  %s = select i1 %c, ptr addrspace(4) %h0, ptr addrspace(4) %h1
  br label %loop
loop:
  ; CHECK: [[INDEX:%.*]] = phi i32 [ [[SELECT]], %entry ], [ [[NEXT:%.*]], %loop ]
  %h = phi ptr addrspace(4) [ %s, %entry ], [ %next, %loop ]
  %b = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h, i32 0)
  ; CHECK: mul nuw i32 [[INDEX]], 16
  %v = load volatile i32, ptr addrspace(7) %b
  ; CHECK: [[NEXT]] = add i32 [[INDEX]], 1
  %next = call ptr addrspace(4) @lgc.resource.index__p4_p4_i32(ptr addrspace(4) %h, i32 1)
  %d = icmp eq i32 %v, 0
  br i1 %d, label %exit, label %loop
exit:
  ret void
}

declare i32 @lgc.builtin__i32_i32(i32) memory(none)
declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32) memory(none)
declare ptr addrspace(4) @lgc.resource.index__p4_p4_i32(ptr addrspace(4), i32) memory(none)
declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32) memory(none)

!lgc.target = !{!0}
!lgc.user.data = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"DescriptorTableVaPtr", i32 1, i32 3, i32 0, i32 0, i32 0, !2}
!2 = !{!"DescriptorBuffer", i32 40, i32 4, i32 0, i32 1, i32 0}

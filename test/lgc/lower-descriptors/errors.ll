; RUN: not lgc-opt -passes=lgc-lower-descriptors %s -o /dev/null 2>&1 | FileCheck %s

; CHECK-DAG: invalid input: the resource mapping has no image for set 0 binding 9
; CHECK-DAG: unsupported: descriptor handle is chosen between different bindings
; CHECK-DAG: invalid input: the resource mapping gives no stride for set 0 binding 3
define void @lgc.shader.CS() {
entry:
  %i = call i32 @lgc.builtin__i32_i32(i32 3)
  %out = alloca i32, addrspace(5)
  %h9 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 9, i32 0)
  %d = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h9, i32 0, i32 0)
  store volatile <8 x i32> %d, ptr addrspace(5) %out
  %h1 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 1, i32 0)
  %h2 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 2, i32 0)
  %c = icmp eq i32 %i, 0
  %s = select i1 %c, ptr addrspace(4) %h1, ptr addrspace(4) %h2
  %b = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %s, i32 0)
  store i32 0, ptr addrspace(7) %b
  %h3 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 3, i32 %i)
  %b3 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h3, i32 0)
  store i32 0, ptr addrspace(7) %b3
  ret void
}

declare i32 @lgc.builtin__i32_i32(i32) memory(none)
declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32) memory(none)
declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32) memory(none)
declare <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4), i32, i32) memory(none)

!lgc.target = !{!0}
!lgc.user.data = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"DescriptorTableVaPtr", i32 1, i32 3, i32 0, i32 0, i32 0, !2, !3, !4}
!2 = !{!"DescriptorBuffer", i32 4, i32 0, i32 0, i32 1, i32 0}
!3 = !{!"DescriptorBuffer", i32 4, i32 4, i32 0, i32 2, i32 0}
!4 = !{!"DescriptorMutable", i32 16, i32 8, i32 0, i32 3, i32 0}

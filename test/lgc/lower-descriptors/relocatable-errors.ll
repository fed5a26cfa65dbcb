; RUN: not lgc-opt -passes=lgc-lower-descriptors %s -o /dev/null 2>&1 | FileCheck %s

; What a layout decides besides offsets cannot be relocated.

; CHECK-DAG: unsupported: part: set 1 binding 0 lies behind a pointer in user data (IndirectUserDataVaPtr)
; CHECK-DAG: unsupported: part: set 0 binding 0 has a sampler with YCbCr conversion
; CHECK-DAG: unsupported: part: set 0 binding 1 is several nodes of the resource mapping
; CHECK-DAG: unsupported: part: set 2 binding 0 is in a set with several tables, or in a table with several sets
define void @lgc.shader.CS() {
  %out = alloca i32, addrspace(5)
  %h0 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 1, i32 0, i32 0)
  %d0 = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h0, i32 0, i32 0)
  store volatile <8 x i32> %d0, ptr addrspace(5) %out
  %h1 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 0, i32 0)
  %d1 = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h1, i32 0, i32 0)
  store volatile <8 x i32> %d1, ptr addrspace(5) %out
  %h2 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 1, i32 0)
  %d2 = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h2, i32 0, i32 0)
  store volatile <8 x i32> %d2, ptr addrspace(5) %out
  %h3 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 2, i32 0, i32 0)
  %d3 = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h3, i32 0, i32 0)
  store volatile <8 x i32> %d3, ptr addrspace(5) %out
  ret void
}

declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32) memory(none)
declare <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4), i32, i32) memory(none)

!lgc.target = !{!0}
!lgc.part = !{!9}
!lgc.user.data = !{!1, !5, !6}
!0 = !{!"gfx1100"}
!1 = !{!"DescriptorTableVaPtr", i32 1, i32 3, i32 0, i32 0, i32 0, !2, !3, !4}
!2 = !{!"DescriptorYCbCrSampler", i32 12, i32 0, i32 0, i32 0, i32 0}
!3 = !{!"DescriptorResource", i32 8, i32 16, i32 0, i32 1, i32 0}
!4 = !{!"DescriptorSampler", i32 4, i32 24, i32 0, i32 1, i32 0}
!5 = !{!"IndirectUserDataVaPtr", i32 1, i32 4, i32 0, i32 0, i32 0, !7}
!6 = !{!"DescriptorTableVaPtr", i32 1, i32 5, i32 0, i32 0, i32 0, !8, !10}
!7 = !{!"DescriptorResource", i32 8, i32 0, i32 1, i32 0, i32 0}
!8 = !{!"DescriptorResource", i32 8, i32 0, i32 2, i32 0, i32 0}
!9 = !{!"relocatable", i32 1}
!10 = !{!"DescriptorResource", i32 8, i32 8, i32 3, i32 0, i32 0}

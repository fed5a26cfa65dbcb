; RUN: sed s/GFX/gfx1030/ %s | lgc-opt -passes=lgc-lower-descriptors -verify-each - -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: sed s/GFX/gfx1100/ %s | lgc-opt -passes=lgc-lower-descriptors -verify-each - -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: sed s/GFX/gfx1201/ %s | lgc-opt -passes=lgc-lower-descriptors -verify-each - -o - | FileCheck --check-prefixes=CHECK,GFX12 %s

; Descriptors in the root: dynamic buffers, compact buffers, inline blocks; tables behind tables.

; CHECK-LABEL: define void @lgc.shader.CS()
define void @lgc.shader.CS() {
  %i = call i32 @lgc.builtin__i32_i32(i32 3)
  ; Root entries at a known index are user data, at an unknown one they come from the spill table.
  ; CHECK-DAG: [[ROOT:%.*]] = call <4 x i32> @lgc.user.data__v4i32_i32(i32 8)
  ; CHECK-DAG: [[SPILL:%.*]] = call ptr addrspace(4) @lgc.spill.table__p4()
  ; CHECK-DAG: [[COMPACT:%.*]] = call <2 x i32> @lgc.user.data__v2i32_i32(i32 20)
  ; The indirect table, and the set pointer at dword 6 in it.
  ; CHECK-DAG: call i32 @lgc.user.data__i32_i32(i32 30)
  ; CHECK-DAG: [[OUTER:%.*]] = load i32, ptr addrspace(4) {{.*}}, align 4, !invariant.load
  ; CHECK-DAG: insertelement <2 x i32> {{.*}}, i32 [[OUTER]], i32 0
  %h0 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 0, i32 1)
  %b0 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h0, i32 0)
  ; CHECK: bitcast <4 x i32> [[ROOT]] to i128
  store i32 0, ptr addrspace(7) %b0
  %h1 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 0, i32 %i)
  %b1 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h1, i32 0)
  ; CHECK: getelementptr inbounds i8, ptr addrspace(4) [[SPILL]], i64
  ; CHECK: getelementptr inbounds i8, ptr addrspace(4) {{.*}}, i64 16
  store i32 0, ptr addrspace(7) %b1
  %h2 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 1, i32 0)
  %b2 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h2, i32 2)
  ; CHECK: [[HIGH:%.*]] = extractelement <2 x i32> [[COMPACT]], i64 1
  ; CHECK: [[HIGH16:%.*]] = and i32 [[HIGH]], 65535
  ; CHECK: [[LOW:%.*]] = extractelement <2 x i32> [[COMPACT]], i64 0
  ; GFX10: insertelement <4 x i32> <i32 0, i32 0, i32 -1, i32 553734060>, i32 [[LOW]], i64 0
  ; GFX11: insertelement <4 x i32> <i32 0, i32 0, i32 -1, i32 536956844>, i32 [[LOW]], i64 0
  ; GFX12: insertelement <4 x i32> <i32 0, i32 0, i32 -1, i32 570511276>, i32 [[LOW]], i64 0
  store i32 0, ptr addrspace(7) %b2
  %h3 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 2, i32 0)
  %b3 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h3, i32 2)
  ; 64 bytes at byte 96 of the root.
  ; CHECK: getelementptr inbounds i8, ptr addrspace(4) [[SPILL]], i64 96
  ; GFX10: insertelement <4 x i32> <i32 0, i32 0, i32 64, i32 822169516>
  ; GFX11: insertelement <4 x i32> <i32 0, i32 0, i32 64, i32 805392300>
  ; GFX12: insertelement <4 x i32> <i32 0, i32 0, i32 64, i32 838946732>
  store i32 0, ptr addrspace(7) %b3
  %h4 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 1, i32 0, i32 0)
  %b4 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h4, i32 0)
  store i32 0, ptr addrspace(7) %b4
  ret void
}

declare i32 @lgc.builtin__i32_i32(i32) memory(none)
declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32) memory(none)
declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32) memory(none)

!lgc.target = !{!0}
!lgc.user.data = !{!1, !2, !3, !4}
!0 = !{!"GFX"}
!1 = !{!"DescriptorBuffer", i32 8, i32 4, i32 0, i32 0, i32 0}
!2 = !{!"DescriptorConstBufferCompact", i32 2, i32 20, i32 0, i32 1, i32 0}
!3 = !{!"InlineBuffer", i32 16, i32 24, i32 0, i32 2, i32 0}
!4 = !{!"IndirectUserDataVaPtr", i32 1, i32 30, i32 0, i32 0, i32 0, !5}
!5 = !{!"DescriptorTableVaPtr", i32 1, i32 6, i32 0, i32 0, i32 0, !6}
!6 = !{!"DescriptorBuffer", i32 4, i32 0, i32 1, i32 0, i32 0}

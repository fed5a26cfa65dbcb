; RUN: lgc-opt -passes=lgc-lower-descriptors -verify-each %s -o - | FileCheck %s

; Every kind of descriptor in a table: offsets, array strides, combined samplers, immutable samplers.
; The table pointer is made once; indices stay divergent, loads say whether they may be.

; CHECK: @immutable.samplers = private unnamed_addr addrspace(4) constant [2 x <4 x i32>] [<4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> <i32 5, i32 6, i32 7, i32 8>]
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: [[LOW:%.*]] = call i32 @lgc.user.data__i32_i32(i32 3)
; CHECK: [[PC:%.*]] = call i64 @llvm.amdgcn.s.getpc()
; CHECK: [[PAIR:%.*]] = bitcast i64 [[PC]] to <2 x i32>
; CHECK: [[FULL:%.*]] = insertelement <2 x i32> [[PAIR]], i32 [[LOW]], i32 0
; CHECK: [[INT:%.*]] = bitcast <2 x i32> [[FULL]] to i64
; CHECK: [[TABLE:%.*]] = inttoptr i64 [[INT]] to ptr addrspace(4)
; CHECK-NOT: s.getpc
define void @lgc.shader.CS() {
  %i = call i32 @lgc.builtin__i32_i32(i32 3)

  ; CHECK: [[P:%.*]] = getelementptr inbounds i8, ptr addrspace(4) [[TABLE]], i64 16
  ; CHECK: [[BUF:%.*]] = load <4 x i32>, ptr addrspace(4) [[P]], align 4, !invariant.load !{{[0-9]+}}, !lgc.uniform
  ; CHECK: [[BITS:%.*]] = bitcast <4 x i32> [[BUF]] to i128
  ; CHECK: [[RSRC:%.*]] = inttoptr i128 [[BITS]] to ptr addrspace(8)
  ; CHECK: addrspacecast ptr addrspace(8) [[RSRC]] to ptr addrspace(7)
  %h1 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 1, i32 0)
  %b1 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h1, i32 0)
  %len = call i32 @lgc.buffer.length__i32_p7(ptr addrspace(7) %b1)
  ; Records without what the driver added to fill the last dword.
  ; CHECK: [[RECORDS:%.*]] = extractelement <4 x i32> [[BUF]], i64 2
  ; CHECK: [[WORD3:%.*]] = extractelement <4 x i32> [[BUF]], i64 3
  ; CHECK: [[STRIDE:%.*]] = lshr i32 [[WORD3]], 21
  ; CHECK: [[ADDED:%.*]] = and i32 [[STRIDE]], 3
  ; CHECK: [[LEN:%.*]] = sub i32 [[RECORDS]], [[ADDED]]
  ; CHECK: store i32 [[LEN]]
  store i32 %len, ptr addrspace(7) %b1

  ; A dynamic element of a uniform buffer array, offset 32 bytes.
  ; CHECK: [[BYTES:%.*]] = mul nuw i32 %i, 16
  ; CHECK: [[WIDE:%.*]] = zext i32 [[BYTES]] to i64
  ; CHECK: [[E:%.*]] = getelementptr inbounds i8, ptr addrspace(4) [[TABLE]], i64 [[WIDE]]
  ; CHECK: [[E2:%.*]] = getelementptr inbounds i8, ptr addrspace(4) [[E]], i64 32
  ; CHECK: load <4 x i32>, ptr addrspace(4) [[E2]], align 4, !invariant.load ![[#EMPTY:]]{{$}}
  %h2 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 2, i32 %i)
  %b2 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h2, i32 3)
  store i32 0, ptr addrspace(7) %b2

  ; A combined image sampler: image at 0, sampler at 8 dwords.
  ; CHECK: getelementptr inbounds i8, ptr addrspace(4) [[TABLE]], i64 256
  ; CHECK: load <8 x i32>
  ; CHECK: getelementptr inbounds i8, ptr addrspace(4) {{.*}}, i64 32
  ; CHECK: load <4 x i32>
  %h3 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 3, i32 0)
  %image = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h3, i32 0, i32 0)
  %sampler = call <4 x i32> @lgc.load.desc__v4i32_p4_i32_i32(ptr addrspace(4) %h3, i32 1, i32 0)
  store <8 x i32> %image, ptr addrspace(7) %b1
  store <4 x i32> %sampler, ptr addrspace(7) %b1

  ; Immutable samplers.
  ; CHECK: store <4 x i32> <i32 5, i32 6, i32 7, i32 8>
  %h4 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 4, i32 0)
  %h5 = call ptr addrspace(4) @lgc.resource.index__p4_p4_i32(ptr addrspace(4) %h4, i32 1)
  %h6 = call ptr addrspace(4) @lgc.resource.index__p4_p4_i32(ptr addrspace(4) %h4, i32 %i)
  %s5 = call <4 x i32> @lgc.load.desc__v4i32_p4_i32_i32(ptr addrspace(4) %h5, i32 1, i32 0)
  store <4 x i32> %s5, ptr addrspace(7) %b1
  ; CHECK: getelementptr inbounds [2 x <4 x i32>], ptr addrspace(4) @immutable.samplers, i64 0
  %s6 = call <4 x i32> @lgc.load.desc__v4i32_p4_i32_i32(ptr addrspace(4) %h6, i32 1, i32 0)
  store <4 x i32> %s6, ptr addrspace(7) %b1

  ; A texel buffer, and a mutable descriptor used as storage image: its stride counts.
  ; CHECK: getelementptr inbounds i8, ptr addrspace(4) [[TABLE]], i64 400
  ; CHECK: load <4 x i32>
  %h7 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 5, i32 1)
  %t = call <4 x i32> @lgc.load.desc__v4i32_p4_i32_i32(ptr addrspace(4) %h7, i32 2, i32 0)
  store <4 x i32> %t, ptr addrspace(7) %b1
  ; CHECK: getelementptr inbounds i8, ptr addrspace(4) [[TABLE]], i64 512
  ; CHECK: load <8 x i32>
  %h8 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 6, i32 1)
  %m = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h8, i32 0, i32 8)
  store <8 x i32> %m, ptr addrspace(7) %b1
  ; CHECK-NOT: lgc.resource
  ret void
}

declare i32 @lgc.builtin__i32_i32(i32) memory(none)
declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32) memory(none)
declare ptr addrspace(4) @lgc.resource.index__p4_p4_i32(ptr addrspace(4), i32) memory(none)
declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32) memory(none)
declare i32 @lgc.buffer.length__i32_p7(ptr addrspace(7)) memory(none)
declare <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4), i32, i32) memory(none)
declare <4 x i32> @lgc.load.desc__v4i32_p4_i32_i32(ptr addrspace(4), i32, i32) memory(none)

!lgc.target = !{!0}
!lgc.user.data = !{!1}
!lgc.static.descriptors = !{!9}
!0 = !{!"gfx1100"}
!1 = !{!"DescriptorTableVaPtr", i32 1, i32 3, i32 0, i32 0, i32 0, !2, !3, !4, !5, !6, !7}
!2 = !{!"DescriptorBuffer", i32 4, i32 4, i32 0, i32 1, i32 0}
!3 = !{!"DescriptorConstBuffer", i32 32, i32 8, i32 0, i32 2, i32 0}
!4 = !{!"DescriptorCombinedTexture", i32 12, i32 64, i32 0, i32 3, i32 0}
!5 = !{!"DescriptorSampler", i32 8, i32 80, i32 0, i32 4, i32 0}
!6 = !{!"DescriptorTexelBuffer", i32 8, i32 96, i32 0, i32 5, i32 0}
!7 = !{!"DescriptorMutable", i32 32, i32 112, i32 0, i32 6, i32 16}
!9 = !{!"DescriptorSampler", i32 0, i32 4, i32 2, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8}

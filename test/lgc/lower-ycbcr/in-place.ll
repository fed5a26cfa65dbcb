; RUN: lgc-opt -passes=lgc-lower-ycbcr -verify-each %s -o - | FileCheck %s

; Two planes whose views give components where colours have them: Y in g of plane 0, Cb and Cr in b
; and r of plane 1.
; CHECK-LABEL: @lgc.shader.CS
; CHECK: [[Y:%.*]] = call <4 x float> @lgc.image.sample
; CHECK: call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h, i32 0, i32 256)
; CHECK: [[C:%.*]] = call <4 x float> @lgc.image.sample
; CHECK: extractelement <4 x float> [[Y]], {{i32|i64}} 1
; CHECK: extractelement <4 x float> [[C]], {{i32|i64}} 2
; CHECK: extractelement <4 x float> [[C]], {{i32|i64}} 0
define void @lgc.shader.CS() {
  %h = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 1, i32 0)
  %i = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h, i32 0, i32 0)
  %s = call <4 x i32> @lgc.load.desc__v4i32_p4_i32_i32(ptr addrspace(4) %h, i32 1, i32 0)
  %a = insertvalue { <8 x i32>, <4 x i32> } poison, <8 x i32> %i, 0
  %b = insertvalue { <8 x i32>, <4 x i32> } %a, <4 x i32> %s, 1
  %i1 = extractvalue { <8 x i32>, <4 x i32> } %b, 0
  %s1 = extractvalue { <8 x i32>, <4 x i32> } %b, 1
  %t = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_f32_i32_i32_i32_i32(<8 x i32> %i1, <4 x i32> %s1, i32 1, i32 0, <2 x float> zeroinitializer, i32 poison, i32 poison, float 0.0, i32 poison, i32 poison, i32 poison, i32 poison)
  store volatile <4 x float> %t, ptr addrspace(1) null
  ret void
}
declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32)
declare <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4), i32, i32)
declare <4 x i32> @lgc.load.desc__v4i32_p4_i32_i32(ptr addrspace(4), i32, i32)
declare <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_f32_i32_i32_i32_i32(<8 x i32>, <4 x i32>, i32, i32, <2 x float>, i32, i32, float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.user.data = !{!1}
!lgc.static.descriptors = !{!3}
!0 = !{!"gfx1100"}
!1 = !{!"DescriptorTableVaPtr", i32 1, i32 0, i32 0, i32 0, i32 0, !2}
!2 = !{!"DescriptorCombinedTexture", i32 20, i32 0, i32 0, i32 1, i32 20}
!3 = !{!"DescriptorYCbCrSampler", i32 0, i32 1, i32 1, i32 146, i32 6291456, i32 5242880, i32 0, i32 3946, i32 32768}

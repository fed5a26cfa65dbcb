; RUN: lgc-opt -passes=lgc-lower-ycbcr -verify-each %s -o - | FileCheck %s

; An image and its sampler as one value, which nothing has taken apart: level none does not.
; CHECK-LABEL: @lgc.shader.CS
; CHECK: [[P:%.*]] = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h, i32 0, i32 256)
; CHECK: call <4 x float> @lgc.image.sample{{.*}}(<8 x i32> [[P]],
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
!3 = !{!"DescriptorYCbCrSampler", i32 0, i32 1, i32 1, i32 146, i32 6291456, i32 5242880, i32 0, i32 1898, i32 32768}

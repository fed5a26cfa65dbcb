; RUN: lgc-opt -passes=lgc-lower-ycbcr -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -passes=lgc-lower-ycbcr,lgc-lower-descriptors -verify-each %s -o - | FileCheck --check-prefix=DESC %s

; Two planes, BT.709, narrow range, 4:2:0, cosited in x, linear chroma: luma from plane 0, chroma
; from plane 1 (flag 256), moved by a quarter of a texel in x, with its own filter.
; CHECK-LABEL: @lgc.shader.CS
; CHECK: [[I:%.*]] = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h, i32 0, i32 0)
; CHECK: [[Y:%.*]] = call <4 x float> @lgc.image.sample{{.*}}(<8 x i32> [[I]],
; CHECK: [[P:%.*]] = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h, i32 0, i32 256)
; The sampler is for nearest luma; a linear filter does not truncate coordinates.
; CHECK: and i32 %{{.*}}, -134217729
; CHECK: and i32 %{{.*}}, -15728641
; CHECK: or i32 %{{.*}}, 5242880
; CHECK: call <2 x i32> @lgc.image.query.size{{.*}}(<8 x i32> [[P]],
; CHECK: fdiv float 2.500000e-01
; CHECK: call <4 x float> @lgc.image.sample{{.*}}(<8 x i32> [[P]],
; CHECK-COUNT-4: call float @llvm.fmuladd.f32(
; Plane 1's descriptor is 8 dwords behind plane 0's.
; DESC: [[B:%.*]] = getelementptr inbounds i8, ptr addrspace(4) %{{.*}}, i64 32
; DESC: load <8 x i32>, ptr addrspace(4) [[B]]
define void @lgc.shader.CS() {
  %h = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 1, i32 0)
  %i = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h, i32 0, i32 0)
  %s = call <4 x i32> @lgc.load.desc__v4i32_p4_i32_i32(ptr addrspace(4) %h, i32 1, i32 0)
  %t = call <4 x float> @lgc.image.sample__v4f32_v8i32_v4i32_i32_i32_v2f32_i32_i32_f32_i32_i32_i32_i32(<8 x i32> %i, <4 x i32> %s, i32 1, i32 0, <2 x float> zeroinitializer, i32 poison, i32 poison, float 0.0, i32 poison, i32 poison, i32 poison, i32 poison)
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

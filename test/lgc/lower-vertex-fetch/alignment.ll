; RUN: lgc-opt -passes=lgc-lower-vertex-fetch %s -o - | FileCheck %s

; A binding of bytes may start anywhere: channel by channel. Of w only the last is read.
; CHECK: call float @llvm.amdgcn.struct.tbuffer.load.f32(<4 x i32> [[A:%.*]], i32 %vertex.index, i32 0, i32 0, i32 1, i32 0)
; CHECK: call float @llvm.amdgcn.struct.tbuffer.load.f32(<4 x i32> [[A]], i32 %vertex.index, i32 0, i32 1, i32 1, i32 0)
; CHECK: call float @llvm.amdgcn.struct.tbuffer.load.f32(<4 x i32> [[A]], i32 %vertex.index, i32 0, i32 2, i32 1, i32 0)
; CHECK-NOT: [[A]], i32 %vertex.index, i32 3

; 16-bit channels next to a dword: the dword makes the buffer aligned to 4, the stride of 12 does
; not allow more, so pairs.
; CHECK: call <2 x float> @llvm.amdgcn.struct.tbuffer.load.v2f32(<4 x i32> [[B:%.*]], i32 %vertex.index, i32 0, i32 4, i32 23, i32 0)
; CHECK: call <2 x float> @llvm.amdgcn.struct.tbuffer.load.v2f32(<4 x i32> [[B]], i32 %vertex.index, i32 0, i32 8, i32 23, i32 0)

; An offset of 2 leaves single channels, then a pair where it is aligned.
; CHECK: call i32 @llvm.amdgcn.struct.tbuffer.load.i32(<4 x i32> [[C:%.*]], i32 %vertex.index, i32 0, i32 2, i32 11, i32 0)
; CHECK: call i32 @llvm.amdgcn.struct.tbuffer.load.i32(<4 x i32> [[C]], i32 %vertex.index, i32 0, i32 4, i32 11, i32 0)

; Three channels of 16 bits: two and one; a single high channel is one load.
; CHECK: call <2 x float> @llvm.amdgcn.struct.tbuffer.load.v2f32(<4 x i32> [[B]], i32 %vertex.index, i32 0, i32 0, i32 29, i32 0)
; CHECK: call float @llvm.amdgcn.struct.tbuffer.load.f32(<4 x i32> [[B]], i32 %vertex.index, i32 0, i32 4, i32 13, i32 0)
; CHECK: call float @llvm.amdgcn.struct.tbuffer.load.f32(<4 x i32> [[B]], i32 %vertex.index, i32 0, i32 10, i32 7, i32 0)
define void @lgc.shader.VS() {
  %in0 = call <3 x float> @lgc.input.load__v3f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  %in1 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 poison)
  %in2 = call <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32 2, i32 0, i32 0, i32 poison)
  %in3 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 3, i32 0, i32 0, i32 poison)
  %in4 = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 4, i32 3, i32 0, i32 poison)
  store volatile <3 x float> %in0, ptr addrspace(1) null
  store volatile <4 x float> %in1, ptr addrspace(1) null
  store volatile <2 x i32> %in2, ptr addrspace(1) null
  store volatile <4 x float> %in3, ptr addrspace(1) null
  store volatile float %in4, ptr addrspace(1) null
  ret void
}
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <3 x float> @lgc.input.load__v3f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.vertex.bindings = !{!2, !3, !4}
!lgc.vertex.attributes = !{!10, !11, !12, !13, !14, !15}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{i32 0, i32 4, i32 0, i32 1}
!3 = !{i32 1, i32 12, i32 0, i32 1}
!4 = !{i32 2, i32 16, i32 0, i32 1}
!10 = !{i32 0, i32 0, i32 0, !"RGBA8.unorm"}
!11 = !{i32 1, i32 1, i32 4, !"RGBA16.unorm"}
!12 = !{i32 2, i32 2, i32 2, !"RGBA16.uint"}
!13 = !{i32 3, i32 1, i32 0, !"RGB16.float"}
!14 = !{i32 4, i32 1, i32 4, !"RGBA16.unorm"}
!15 = !{i32 5, i32 1, i32 0, !"R32.float"}

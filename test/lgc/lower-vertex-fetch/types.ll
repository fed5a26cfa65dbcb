; RUN: lgc-opt -passes=lgc-lower-vertex-fetch,instcombine %s -o - | FileCheck %s

; Missing channels are 0, 0, 1 in the shader's type.
; CHECK-DAG: store volatile <4 x i32> [[A:%.*]], ptr addrspace(1) null, align 16
; CHECK-DAG: [[A]] = insertelement <4 x i32> <i32 poison, i32 0, i32 0, i32 1>, i32 {{%.*}}, i64 0
; CHECK-DAG: shufflevector <4 x float> {{%.*}}, <4 x float> <float poison, float 0.000000e+00, float 0.000000e+00, float 1.000000e+00>

; 64-bit formats are dwords; the third and fourth channel are in the next location.
; CHECK-DAG: [[LOW:%.*]] = call <4 x i32> @llvm.amdgcn.struct.buffer.load.v4i32(<4 x i32> {{%.*}}, i32 %vertex.index, i32 0, i32 0, i32 0)
; CHECK-DAG: store volatile <4 x i32> [[LOW]]
; CHECK-DAG: [[HIGH:%.*]] = call <2 x i32> @llvm.amdgcn.struct.buffer.load.v2i32(<4 x i32> {{%.*}}, i32 %vertex.index, i32 16, i32 0, i32 0)
; CHECK-DAG: store volatile <2 x i32> [[HIGH]]

; 16-bit inputs, of 16- and 32-bit formats, swapped red and blue.
; CHECK-DAG: [[H:%.*]] = call float @llvm.amdgcn.struct.tbuffer.load.f32({{.*}}, i32 13, i32 0)
; CHECK-DAG: fptrunc float [[H]] to half
; CHECK-DAG: trunc i32 {{%.*}} to i16
; CHECK-DAG: [[BGRA:%.*]] = call <4 x float> @llvm.amdgcn.struct.tbuffer.load.v4f32({{.*}}, i32 24, i32 0, i32 42, i32 0)
; CHECK-DAG: shufflevector <4 x float> [[BGRA]], <4 x float> poison, <4 x i32> <i32 2, i32 1, i32 0, i32 3>

; No attribute: zero.
; CHECK-DAG: store volatile float 0.000000e+00

; Float from an integer format: the bits.
; CHECK-DAG: bitcast <4 x i32> {{%.*}} to <4 x float>
define void @lgc.shader.VS() {
  %in0 = call <4 x i32> @lgc.input.load__v4i32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  %in1 = call <4 x i32> @lgc.input.load__v4i32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 poison)
  %in2 = call <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32 2, i32 0, i32 0, i32 poison)
  %in3 = call half @lgc.input.load__f16_i32_i32_i32_i32(i32 3, i32 0, i32 0, i32 poison)
  %in4 = call i16 @lgc.input.load__i16_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  %in5 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 5, i32 0, i32 0, i32 poison)
  %in6 = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 9, i32 0, i32 0, i32 poison)
  %in7 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  store volatile <4 x i32> %in0, ptr addrspace(1) null
  store volatile <4 x i32> %in1, ptr addrspace(1) null
  store volatile <2 x i32> %in2, ptr addrspace(1) null
  store volatile half %in3, ptr addrspace(1) null
  store volatile i16 %in4, ptr addrspace(1) null
  store volatile <4 x float> %in5, ptr addrspace(1) null
  store volatile float %in6, ptr addrspace(1) null
  store volatile <4 x float> %in7, ptr addrspace(1) null
  ret void
}
declare half @lgc.input.load__f16_i32_i32_i32_i32(i32, i32, i32, i32)
declare i16 @lgc.input.load__i16_i32_i32_i32_i32(i32, i32, i32, i32)
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <4 x i32> @lgc.input.load__v4i32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.vertex.bindings = !{!2, !3}
!lgc.vertex.attributes = !{!10, !11, !12, !13}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{i32 0, i32 32, i32 0, i32 1}
!3 = !{i32 1, i32 32, i32 0, i32 1}
!10 = !{i32 0, i32 1, i32 0, !"R32.uint"}
!11 = !{i32 1, i32 0, i32 0, !"RGB64.float"}
!12 = !{i32 3, i32 0, i32 28, !"R16.float"}
!13 = !{i32 5, i32 0, i32 24, !"RGBA8.unorm.swapRedBlue"}

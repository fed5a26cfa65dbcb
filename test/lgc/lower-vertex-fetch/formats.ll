; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-vertex-fetch %s -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-vertex-fetch %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-vertex-fetch %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM %s

; One typed load per attribute, of the channels that are read; the assembler's names are the proof
; that the numbers are right.
; CHECK: [[DESC:%.*]] = load <4 x i32>, ptr addrspace(4) %table
; CHECK: [[INDEX:%vertex.index]] = add i32 %vertex.id, %base.vertex
; GFX10: call <4 x float> @llvm.amdgcn.struct.tbuffer.load.v4f32(<4 x i32> [[DESC]], i32 [[INDEX]], i32 0, i32 0, i32 56, i32 0)
; GFX11: call <4 x float> @llvm.amdgcn.struct.tbuffer.load.v4f32(<4 x i32> [[DESC]], i32 [[INDEX]], i32 0, i32 0, i32 42, i32 0)
; GFX10: call <4 x float> @llvm.amdgcn.struct.tbuffer.load.v4f32(<4 x i32> [[DESC]], i32 [[INDEX]], i32 4, i32 0, i32 51, i32 0)
; GFX11: call <4 x float> @llvm.amdgcn.struct.tbuffer.load.v4f32(<4 x i32> [[DESC]], i32 [[INDEX]], i32 4, i32 0, i32 37, i32 0)
; GFX10: call <3 x float> @llvm.amdgcn.struct.tbuffer.load.v3f32(<4 x i32> [[DESC]], i32 [[INDEX]], i32 8, i32 0, i32 36, i32 0)
; GFX11: call <3 x float> @llvm.amdgcn.struct.tbuffer.load.v3f32(<4 x i32> [[DESC]], i32 [[INDEX]], i32 8, i32 0, i32 30, i32 0)
; GFX10: call <4 x i32> @llvm.amdgcn.struct.tbuffer.load.v4i32(<4 x i32> [[DESC]], i32 [[INDEX]], i32 16, i32 0, i32 70, i32 0)
; GFX11: call <4 x i32> @llvm.amdgcn.struct.tbuffer.load.v4i32(<4 x i32> [[DESC]], i32 [[INDEX]], i32 16, i32 0, i32 56, i32 0)
; CHECK: call <2 x float> @llvm.amdgcn.struct.tbuffer.load.v2f32(<4 x i32> [[DESC]], i32 [[INDEX]], i32 24, i32 0, i32 29, i32 0)
; CHECK: call <2 x float> @llvm.amdgcn.struct.tbuffer.load.v2f32(<4 x i32> [[DESC]], i32 [[INDEX]], i32 28, i32 0, i32 16, i32 0)
; CHECK: call <3 x i32> @llvm.amdgcn.struct.buffer.load.v3i32(<4 x i32> [[DESC]], i32 [[INDEX]], i32 32, i32 0, i32 0)

; ASM-DAG: format:[BUF_FMT_8_8_8_8_UNORM] idxen
; ASM-DAG: format:[BUF_FMT_2_10_10_10_SNORM] idxen offset:4
; ASM-DAG: format:[BUF_FMT_10_11_11_FLOAT] idxen offset:8
; ASM-DAG: format:[BUF_FMT_16_16_16_16_SINT] idxen offset:16
; ASM-DAG: format:[BUF_FMT_16_16_FLOAT] idxen offset:24
; ASM-DAG: format:[BUF_FMT_8_8_USCALED] idxen offset:28
; ASM-DAG: buffer_load_{{dwordx3|b96}} {{.*}} idxen offset:32
define void @lgc.shader.VS() {
  %in0 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  %in1 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 poison)
  %in2 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 2, i32 0, i32 0, i32 poison)
  %in3 = call <4 x i32> @lgc.input.load__v4i32_i32_i32_i32_i32(i32 3, i32 0, i32 0, i32 poison)
  %in4 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 4, i32 0, i32 0, i32 poison)
  %in5 = call <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32 5, i32 0, i32 0, i32 poison)
  %in6 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 6, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %in0, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %in1, i32 1, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %in2, i32 2, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4i32_i32_i32_i32_i32(<4 x i32> %in3, i32 3, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %in4, i32 4, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> %in5, i32 5, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %in6, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
declare <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <4 x i32> @lgc.input.load__v4i32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v4i32_i32_i32_i32_i32(<4 x i32>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.vertex.bindings = !{!2}
!lgc.vertex.attributes = !{!10, !11, !12, !13, !14, !15, !16, !17}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{i32 0, i32 64, i32 0, i32 1}
!10 = !{i32 0, i32 0, i32 0, !"RGBA8.unorm"}
!11 = !{i32 1, i32 0, i32 4, !"RGB10A2.snorm"}
!12 = !{i32 2, i32 0, i32 8, !"RG11B10.float"}
!13 = !{i32 3, i32 0, i32 16, !"RGBA16.sint"}
!14 = !{i32 4, i32 0, i32 24, !"RG16.float"}
!15 = !{i32 5, i32 0, i32 28, !"RGBA8.uscaled"}
; Read by nobody, but it makes the buffer's address a multiple of 8.
!17 = !{i32 20, i32 0, i32 48, !"R64.uint"}
!16 = !{i32 6, i32 0, i32 32, !"RGB32.float"}

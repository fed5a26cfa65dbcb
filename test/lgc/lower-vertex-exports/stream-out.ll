; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-vertex-exports %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM %s

; gfx10 counts the vertices: bits 22:16 of the info say how many of the wave are written, from an
; index on. Side by side dwords are one store.
; CHECK: define void @lgc.hw.VS()
; CHECK: %stream.out = call i32 @lgc.hw.value__i32_i32(i32 7)
; CHECK: [[SHIFTED:%.*]] = lshr i32 %stream.out, 16
; CHECK: [[COUNT:%.*]] = and i32 [[SHIFTED]], 127
; CHECK: icmp ult i32 {{%.*}}, [[COUNT]]
; CHECK: stream.out{{[0-9]*}}:
; CHECK: [[INDEX:%.*]] = add i32 %index, {{%.*}}
; CHECK: [[PLACE:%.*]] = getelementptr inbounds i8, ptr addrspace(4) %table, i64 16
; CHECK: [[BUFFER:%.*]] = load <4 x i32>, ptr addrspace(4) [[PLACE]]
; CHECK: [[BASE:%.*]] = shl i32 %offset, 2
; CHECK: call void @llvm.amdgcn.struct.buffer.store.v3i32(<3 x i32> {{%.*}}, <4 x i32> [[BUFFER]], i32 [[INDEX]], i32 4, i32 [[BASE]], i32 3)
; CHECK: call void @llvm.amdgcn.struct.buffer.store.i16(i16 {{%.*}}, <4 x i32> [[BUFFER]], i32 [[INDEX]], i32 16, i32 [[BASE]], i32 3)
; CHECK: call void @llvm.amdgcn.exp.f32(i32 12

; CHECK-DAG: !{!".graphics_registers", !".vgt_strmout_config", !".streamout_0_en", i64 1}
; CHECK-DAG: !{!".graphics_registers", !".vgt_strmout_config", !".streamout_1_en", i64 0}
; CHECK-DAG: !{!".graphics_registers", !".vgt_strmout_buffer_config", !".stream_0_buffer_en", i64 2}
; CHECK-DAG: !{!".streamout_vertex_strides", !"[0]", i64 0}
; CHECK-DAG: !{!".streamout_vertex_strides", !"[1]", i64 5}

; ASM: buffer_store_dwordx3 {{.*}} idxen offset:4 glc slc
; ASM: buffer_store_short {{.*}} idxen offset:16 glc slc
; ASM: exp pos0
; ASM: .vs_so_base1_en: true
; ASM: .vs_streamout_en: true
define void @lgc.shader.VS() {
  %vertex = call i32 @lgc.hw.value__i32_i32(i32 16)
  %x = uitofp i32 %vertex to float
  %v = insertelement <2 x float> <float 1.0, float poison>, float %x, i32 1
  %half = fptrunc float %x to half
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.xfb.store__void_v2f32_i32_i32_i32(<2 x float> %v, i32 1, i32 8, i32 0)
  call void @lgc.xfb.store__void_i32_i32_i32_i32(i32 %vertex, i32 1, i32 4, i32 0)
  call void @lgc.xfb.store__void_f16_i32_i32_i32(half %half, i32 1, i32 16, i32 0)
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.xfb.store__void_v2f32_i32_i32_i32(<2 x float>, i32, i32, i32)
declare void @lgc.xfb.store__void_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.xfb.store__void_f16_i32_i32_i32(half, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{!"xfb.enabled", i32 1}
!3 = !{!"xfb.strides", i32 0, i32 20, i32 0, i32 0}

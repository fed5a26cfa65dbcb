; RUN: lgc-opt -mcpu=gfx1010 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=CHECK,GFX101 %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM %s

; Point size, then layer and viewport in one dword; 3 clip and 2 cull distances share two vectors.
; A missing w is 1.
; CHECK: [[LAYER:%.*]] = and i32 {{%.*}}, 65535
; CHECK: [[TARGET:%.*]] = or i32 [[LAYER]], {{%.*}}
; CHECK: [[BITS:%.*]] = bitcast i32 [[TARGET]] to float
; CHECK: call void @llvm.amdgcn.exp.f32(i32 12, i32 15, float 0.000000e+00, float {{%.*}}, float 0.000000e+00, float 1.000000e+00, i1 false,
; GFX101-SAME: i1 true)
; GFX11-SAME: i1 false)
; CHECK: call void @llvm.amdgcn.exp.f32(i32 13, i32 5, float {{%.*}}, float poison, float [[BITS]], float poison, i1 false, i1 false)
; CHECK: call void @llvm.amdgcn.exp.f32(i32 14, i32 15, float {{%.*}}, float {{%.*}}, float {{%.*}}, float 1.000000e+00, i1 false, i1 false)
; CHECK: call void @llvm.amdgcn.exp.f32(i32 15, i32 1, float 2.000000e+00, float poison, float poison, float poison, i1 true, i1 false)

; CHECK-DAG: !{!".graphics_registers", !".spi_vs_out_config", !".no_pc_export", i64 1}
; CHECK-DAG: !{!".graphics_registers", !".spi_shader_pos_format", !"[3]", i64 4}
; CHECK-DAG: !{!".graphics_registers", !".spi_shader_pos_format", !"[4]", i64 0}
; CHECK-DAG: !".use_vtx_point_size", i64 1}
; CHECK-DAG: !".use_vtx_render_target_indx", i64 1}
; CHECK-DAG: !".use_vtx_viewport_indx", i64 1}
; CHECK-DAG: !".vs_out_misc_vec_ena", i64 1}
; CHECK-DAG: !".vs_out_cc_dist0_vec_ena", i64 1}
; CHECK-DAG: !".vs_out_cc_dist1_vec_ena", i64 1}
; CHECK-DAG: !".vs_out_misc_side_bus_ena", i64 1}
; CHECK-DAG: !".clip_dist_ena_2", i64 1}
; CHECK-DAG: !".cull_dist_ena_2", i64 1}
; CHECK-DAG: !".cull_dist_ena_4", i64 1}
; CHECK-NOT: !".clip_dist_ena_3"
; CHECK-DAG: !{!".uses_viewport_array_index", i64 1}
; CHECK-DAG: !".vte_vport_provoke_disable", i64 1}
; CHECK-DAG: !{!".graphics_registers", !".vgt_reuse_off", i64 1}
; CHECK-DAG: !".rasterization_kill", i64 1}

; ASM: export pos0
; ASM: export pos1
; ASM: export pos2
; ASM: export pos3 {{.*}} done
define void @lgc.shader.VS() {
  %vertex = call i32 @lgc.hw.value__i32_i32(i32 16)
  %x = uitofp i32 %vertex to float
  %v = insertelement <3 x float> poison, float %x, i32 0
  %w = insertelement <3 x float> %v, float %x, i32 1
  %u = insertelement <3 x float> %w, float %x, i32 2
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 512, i32 1, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 513, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v3f32_i32_i32_i32_i32(<3 x float> %u, i32 514, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> <float 1.0, float 2.0>, i32 516, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %vertex, i32 518, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %vertex, i32 519, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
declare void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v3f32_i32_i32_i32_i32(<3 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{!"rasterizerDiscardEnable", i32 1}

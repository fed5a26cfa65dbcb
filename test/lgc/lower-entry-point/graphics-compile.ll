; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %s -o - | FileCheck %s --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm %s -o - | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm %s -o - | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck %s --check-prefixes=CHECK,GFX12
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=obj -kiln-stats %s -o %t.elf 2>&1 | FileCheck %s --check-prefix=STATS
; RUN: pal-verify %t.elf
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=obj %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=obj %s -o - | pal-verify -

; The whole back end for one module with three hardware stages. Scratch: its descriptor is read
; through the global table, which is s8 behind the system SGPRs of merged stages, and s0 elsewhere
; (gfx10); the wave's offset comes in s5, elsewhere behind the arguments. Barriers between the halves
; stay. Each stage has LDS of its own.
; CHECK-LABEL: _amdgpu_hs_main:
; GFX10: s_mov_b32 [[OFFSET:s[0-9]+]], s5
; GFX10: s_mov_b32 s{{[0-9]+}}, s8
; GFX10: s_load_dwordx4
; GFX10: s_add_u32 s{{[0-9]+}}, s{{[0-9]+}}, [[OFFSET]]
; CHECK: exec{{(_lo)?}}, -1
; GFX10: buffer_store_dword v2
; GFX11: scratch_store_b32 v0, v2
; GFX12: scratch_store_b32 v0, v2
; GFX10: s_barrier
; GFX11: s_barrier
; GFX12: s_barrier_wait -1
; CHECK-LABEL: _amdgpu_gs_main:
; GFX10: s_mov_b32 s{{[0-9]+}}, s8
; GFX10: buffer_store_dword v7
; GFX11: scratch_store_b32 v0, v7
; GFX12: scratch_store_b32 v0, v5
; GFX10: s_barrier
; GFX11: s_barrier
; GFX12: s_barrier_wait -1
; CHECK-LABEL: _amdgpu_ps_main:
; GFX10: s_add_u32 s{{[0-9]+}}, s{{[0-9]+}}, s2
; GFX11: scratch_store_b32
; GFX12: scratch_store_b32
; CHECK: .spi_ps_input_addr:
; CHECK: .ancillary_ena: true
; CHECK: .hardware_stages:
; CHECK: .gs:
; CHECK: .entry_point: _amdgpu_gs_main
; CHECK: .lds_size: 0x200
; CHECK: .scratch_en: true
; CHECK: .hs:
; CHECK: .entry_point: _amdgpu_hs_main
; CHECK: .lds_size: 0xc00
; CHECK: .scratch_en: true
; CHECK: .ps:
; CHECK: .scratch_en: true
; STATS: hs: vgprs {{[0-9]+}} sgprs {{[0-9]+}} lds 3072 scratch 272 code {{[1-9][0-9]*}} instructions {{[1-9][0-9]*}} wave32 waves/simd {{[1-9]}}
; STATS: gs: vgprs {{[0-9]+}} sgprs {{[0-9]+}} lds 512 scratch 272 code {{[1-9][0-9]*}} instructions {{[1-9][0-9]*}} wave32 waves/simd {{[1-9]}}
; STATS: ps: vgprs {{[0-9]+}} sgprs {{[0-9]+}} lds 0 scratch 272 code {{[1-9][0-9]*}} instructions {{[1-9][0-9]*}} wave64 waves/simd {{[1-9]}}
define void @lgc.hw.HS() {
  call void @llvm.amdgcn.init.exec(i64 -1)
  %a = alloca [64 x i32], addrspace(5)
  %i = call i32 @lgc.hw.value__i32_i32(i32 16)
  %p = getelementptr i32, ptr addrspace(5) %a, i32 %i
  store volatile i32 %i, ptr addrspace(5) %p
  %w = call i32 @lgc.hw.value__i32_i32(i32 0)
  store i32 %w, ptr addrspace(3) @hslds
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %q = getelementptr i32, ptr addrspace(5) %a, i32 %w
  %v = load volatile i32, ptr addrspace(5) %q
  store volatile i32 %v, ptr addrspace(3) @hslds
  ret void
}
define void @lgc.hw.GS() {
  call void @llvm.amdgcn.init.exec(i64 -1)
  %a = alloca [64 x i32], addrspace(5)
  %i = call i32 @lgc.hw.value__i32_i32(i32 22)
  %p = getelementptr i32, ptr addrspace(5) %a, i32 %i
  store volatile i32 %i, ptr addrspace(5) %p
  %w = call i32 @lgc.hw.value__i32_i32(i32 0)
  store i32 %w, ptr addrspace(3) @gslds
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %v = load volatile i32, ptr addrspace(5) %p
  store volatile i32 %v, ptr addrspace(3) @gslds
  ret void
}
define void @lgc.shader.FS() {
  %a = alloca [64 x i32], addrspace(5)
  %i = call i32 @lgc.hw.value__i32_i32(i32 44)
  %p = getelementptr i32, ptr addrspace(5) %a, i32 %i
  store volatile i32 %i, ptr addrspace(5) %p
  %v = load volatile i32, ptr addrspace(5) %p
  %f = bitcast i32 %v to float
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %f, float %f, float 0.0, float 1.0, i1 true, i1 true)
  ret void
}
@hslds = internal addrspace(3) global [700 x i32] poison
@gslds = internal addrspace(3) global [100 x i32] poison
declare i32 @lgc.hw.value__i32_i32(i32)
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
declare void @llvm.amdgcn.init.exec(i64)
declare void @llvm.amdgcn.s.barrier()
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.registers = !{!2, !3, !4, !5, !6, !7, !8, !9, !10, !11, !12}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"tessControl", !"tessEval", !"fragment"}
!2 = !{!".graphics_registers", !".max_verts_per_subgroup", i64 64}
!3 = !{!".graphics_registers", !".ge_ngg_subgrp_cntl", !".threads_per_subgroup", i64 64}
!4 = !{!".graphics_registers", !".ge_ngg_subgrp_cntl", !".prim_amp_factor", i64 1}
!5 = !{!".graphics_registers", !".vgt_gs_onchip_cntl", !".es_verts_per_subgroup", i64 64}
!6 = !{!".graphics_registers", !".vgt_gs_onchip_cntl", !".gs_prims_per_subgroup", i64 64}
!7 = !{!".graphics_registers", !".vgt_ls_hs_config", !".num_patches", i64 8}
!8 = !{!".graphics_registers", !".vgt_ls_hs_config", !".hs_num_input_cp", i64 3}
!9 = !{!".graphics_registers", !".vgt_ls_hs_config", !".hs_num_output_cp", i64 3}
!10 = !{!".graphics_registers", !".vgt_tf_param", !".type", i64 1}
!11 = !{!".graphics_registers", !".spi_shader_pos_format", !"[0]", i64 4}
!12 = !{!".graphics_registers", !".spi_ps_input_cntl", !"[0]", !".offset", i64 0}

; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=CHECK,GFX11PLUS,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=CHECK,GFX11PLUS,GFX12 %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=ASM,ASM10 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=ASM,ASM11 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=ASM,ASM12 %s

; CHECK: define void @lgc.hw.GS()
; CHECK: prologue:
; CHECK-NEXT: call void @llvm.amdgcn.init.exec(i64 -1)
; CHECK: [[WAVE:%wave.info]] = call i32 @lgc.hw.value__i32_i32(i32 0)
; CHECK: [[P:%.*]] = lshr i32 [[WAVE]], 8
; CHECK: [[PRIMS:%.*]] = and i32 [[P]], 255
; CHECK: [[ISPRIM:%.*]] = icmp ult i32 {{%.*}}, [[PRIMS]]
; CHECK: [[ISVERT:%.*]] = icmp ult

; gfx10 alone asks for export space: primitives << 12 | vertices, by the first wave.
; GFX10: call void @llvm.amdgcn.s.barrier()
; GFX10: [[GROUP:%group.info]] = call i32 @lgc.hw.value__i32_i32(i32 1)
; GFX10: alloc:
; GFX10: lshr i32 [[GROUP]], 12
; GFX10: lshr i32 [[GROUP]], 22
; GFX10: shl i32 {{%.*}}, 12
; GFX10: call void @llvm.amdgcn.s.sendmsg(i32 9, i32 {{%.*}})
; GFX11PLUS-NOT: sendmsg

; CHECK: br i1 [[ISPRIM]], label %primitive
; CHECK: primitive:
; CHECK: call void @llvm.amdgcn.exp.i32(i32 20, i32 1, i32 %connectivity, i32 poison, i32 poison, i32 poison, i1 true, i1 false)
; CHECK: br i1 [[ISVERT]], label %[[VERTEX:vertex.*]], label %end

; The shader may return in several places; all lead to the exports.
; CHECK: [[VERTEX]]:
; CHECK: export:
; GFX10: call void @llvm.amdgcn.exp.f32(i32 12, i32 15, float {{%.*}}, float {{%.*}}, float {{%.*}}, float {{%.*}}, i1 true, i1 false)
; GFX10: call void @llvm.amdgcn.exp.f32(i32 34, i32 3, float {{%.*}}, float {{%.*}}, float poison, float poison, i1 false, i1 false)
; GFX11: [[BASE:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 6)
; GFX11: [[MASKED:%.*]] = and i32 [[BASE]], 32767
; GFX11: [[OFFSET:%.*]] = shl i32 [[MASKED]], 9
; GFX11: %attribute.ring = call <4 x i32> @lgc.driver.table__v4i32_i32(i32 44)
; GFX11: [[WORD:%.*]] = extractelement <4 x i32> %attribute.ring, i64 1
; GFX11: [[CLEARED:%.*]] = and i32 [[WORD]], -1073676289
; Three attributes: a stride of 48.
; GFX11: [[STRIDE:%.*]] = or i32 [[CLEARED]], 3145728
; GFX11: [[RING:%.*]] = insertelement <4 x i32> %attribute.ring, i32 [[STRIDE]], i64 1
; GFX11: call void @llvm.amdgcn.struct.buffer.store.v4f32(<4 x float> {{%.*}}, <4 x i32> [[RING]], i32 %thread, i32 32, i32 [[OFFSET]], i32 9)
; GFX11-NEXT: fence syncscope("agent") release
; GFX11-NEXT: call void @llvm.amdgcn.exp.f32(i32 12, i32 15
; GFX12: call void @llvm.amdgcn.exp.f32(i32 12, i32 15
; GFX12: call void @llvm.amdgcn.struct.buffer.store.v4f32(<4 x float> {{%.*}}, i32 32, i32 {{%.*}}, i32 87)
; GFX12-NOT: fence

; CHECK-DAG: !{!".graphics_registers", !".vgt_gs_onchip_cntl", !".es_verts_per_subgroup", i64 128}
; CHECK-DAG: !{!".graphics_registers", !".vgt_gs_onchip_cntl", !".gs_prims_per_subgroup", i64 128}
; CHECK-DAG: !{!".graphics_registers", !".ge_ngg_subgrp_cntl", !".prim_amp_factor", i64 1}
; CHECK-DAG: !{!".nggSubgroupSize", i64 128}
; CHECK-DAG: !{!".graphics_registers", !".vgt_gs_out_prim_type", !".outprim_type", !"LineStrip"}
; CHECK-DAG: !{!".graphics_registers", !".spi_vs_out_config", !".vs_export_count", i64 2}
; CHECK-DAG: !{!".graphics_registers", !".spi_shader_idx_format", i64 1}
; GFX11-DAG: !{!".graphics_registers", !".vgt_shader_stages_en", !".primgen_passthru_en", i64 1}
; GFX11PLUS-DAG: !{!".graphics_registers", !".vgt_shader_stages_en", !".primgen_passthru_no_msg", i64 1}

; ASM: _amdgpu_gs_main:
; ASM10: s_barrier
; ASM10-DAG: exp prim v0, off, off, off done
; ASM10-DAG: s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
; ASM11: exp prim v0, off, off, off done
; ASM11: buffer_store_b128 {{.*}} idxen offset:32 glc
; ASM11: s_waitcnt_vscnt null, 0x0
; ASM11: exp pos0
; ASM12: export prim v0, off, off, off done
; ASM12-DAG: export pos0 {{.*}} done
; ASM12-DAG: buffer_store_b128 {{.*}} idxen offset:32 th:TH_STORE_NT_WB scope:SCOPE_DEV
define void @lgc.shader.VS() {
  %vertex = call i32 @lgc.hw.value__i32_i32(i32 16)
  %odd = trunc i32 %vertex to i1
  %x = uitofp i32 %vertex to float
  br i1 %odd, label %one, label %two
one:
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 512, i32 0, i32 0, i32 poison)
  ret void
two:
  %v = insertelement <4 x float> zeroinitializer, float %x, i32 1
  %half = fptrunc float %x to half
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %vertex, i32 2, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f16_i32_i32_i32_i32(half %half, i32 2, i32 1, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_f16_i32_i32_i32_i32(half, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"topology", !"lineStrip"}

; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefix=LEGACY %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=NGG,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=NGG,GFX12 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM11 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM12 %s

; Primitives that queries may count: gfx10 takes the legacy path, where the hardware counts; later
; the first thread of the subgroup adds the number of primitives that arrived.
; LEGACY: define void @lgc.hw.VS()
; The hardware counts primitives of streams that are enabled; none of them has buffers.
; LEGACY: !{!".graphics_registers", !".vgt_strmout_config", !".prims_needed_cnt_en", i64 1}
; LEGACY: !{!".graphics_registers", !".vgt_strmout_config", !".streamout_0_en", i64 1}
; LEGACY: !{!".graphics_registers", !".vgt_strmout_config", !".streamout_1_en", i64 1}
; LEGACY: !{!".graphics_registers", !".vgt_strmout_config", !".streamout_2_en", i64 1}
; LEGACY: !{!".graphics_registers", !".vgt_strmout_config", !".streamout_3_en", i64 1}
; LEGACY-NOT: buffer_en

; NGG: define void @lgc.hw.GS()
; NGG: end:
; NGG: [[GROUP:%group.info.*]] = call i32 @lgc.hw.value__i32_i32(i32 1)
; NGG: [[SHIFTED:%.*]] = lshr i32 [[GROUP]], 22
; NGG: [[PRIMITIVES:%.*]] = and i32 [[SHIFTED]], 511
; GFX11: [[FIRST:%.*]] = icmp eq i32 %thread, 0
; GFX11: br i1 [[FIRST]], label %count
; GFX11: count:
; GFX11: call i32 @llvm.amdgcn.ds.add.gs.reg.rtn.i32(i32 [[PRIMITIVES]], i32 32)
; GFX12: count:
; GFX12: [[COUNTER:%.*]] = getelementptr inbounds i8, ptr addrspace(1) {{%.*}}, i32 {{%.*}}
; GFX12: atomicrmw add ptr addrspace(1) [[COUNTER]], i64 {{%.*}} syncscope("agent") monotonic
; Nothing is captured, so nothing waits.
; NGG-NOT: ordered
; NGG-NOT: s.barrier
; NGG-NOT: ngg_wave_id_en

; ASM11: exp pos0
; ASM11: ds_add_gs_reg_rtn {{.*}} offset:32 gds
; ASM12: export pos0
; ASM12: global_atomic_add_u64
; ASM12: .user_data_reg_map:
; ASM12: 0x10000016
define void @lgc.shader.VS() {
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 1.0, i32 512, i32 0, i32 0, i32 0)
  ret void
}

declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)

!lgc.graphics = !{!0}
!0 = !{!"stages", !"vertex", !"fragment"}
!lgc.options = !{!1}
!1 = !{!"primitivesGeneratedQuery", i32 1}

; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-geometry -verify-each %s -o - | FileCheck --check-prefix=LEGACY %s
; RUN: lgc-opt -mcpu=gfx1100 -passes='lgc-lower-geometry,function(sroa,early-cse)' -verify-each %s -o - | FileCheck --check-prefixes=NGG,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -passes='lgc-lower-geometry,function(sroa,early-cse)' -verify-each %s -o - | FileCheck --check-prefixes=NGG,GFX12 %s
; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM10 %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM11 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM12 %s

; Primitives of streams that queries may count, here 0 (rasterised) and 3, count like those that are
; captured. Without NGG the hardware hears of all of them, but only stream 0 has vertices in the ring
; and is copied.
; LEGACY: define void @lgc.hw.GS()
; LEGACY: call void @llvm.amdgcn.s.sendmsg(i32 34,
; LEGACY: call void @llvm.amdgcn.s.sendmsg(i32 802,
; LEGACY: define void @lgc.hw.VS()
; LEGACY-NOT: hw.value__i32_i32(i32 7)
; LEGACY: call void @llvm.amdgcn.exp
; LEGACY-DAG: !".vgt_strmout_config", !".prims_needed_cnt_en", i64 1}
; LEGACY-DAG: !".vgt_strmout_config", !".streamout_0_en", i64 1}
; LEGACY-DAG: !".vgt_strmout_config", !".streamout_1_en", i64 1}
; LEGACY-DAG: !".vgt_strmout_config", !".streamout_2_en", i64 1}
; LEGACY-DAG: !".vgt_strmout_config", !".streamout_3_en", i64 1}
; LEGACY-DAG: !".vgt_gs_vert_itemsize", !"[3]", i64 0}
; LEGACY-DAG: !".vgt_gs_out_prim_type", !".outprim_type_3", !"PointList"}

; NGG-LABEL: define void @lgc.hw.GS()
; NGG: gs.end:
; NGG: [[IS0:%.*]] = icmp ne i32 {{%.*}}, 0
; NGG: call i64 @llvm.amdgcn.ballot.i64
; NGG: call i64 @llvm.amdgcn.ballot.i64
; NGG: call i64 @llvm.amdgcn.ballot.i64
; NGG: call void @llvm.amdgcn.s.barrier()
; NGG-COUNT-3: %wave.counts{{.*}} = load <4 x i32>
; NGG: count:
; GFX11: call i32 @llvm.amdgcn.ds.add.gs.reg.rtn.i32(i32 {{%.*}}, i32 32)
; GFX11: call i32 @llvm.amdgcn.ds.add.gs.reg.rtn.i32(i32 {{%.*}}, i32 56)
; GFX12: atomicrmw add ptr addrspace(1) {{.*}} syncscope("agent") monotonic
; NGG-NOT: buffer.store
; NGG: call void @llvm.amdgcn.s.sendmsg(i32 9,

; ASM10: s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)
; ASM10: s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 3)
; ASM10: .prims_needed_cnt_en: true
; ASM11: ds_add_gs_reg_rtn {{.*}} offset:32 gds
; ASM11: ds_add_gs_reg_rtn {{.*}} offset:56 gds
; ASM12: global_atomic_add_u64
define void @lgc.shader.VS() {
  ret void
}

define void @lgc.shader.GS() {
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 1.0, i32 512, i32 0, i32 0, i32 0)
  call void @lgc.emit.vertex__void_i32(i32 0)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 2.0, i32 0, i32 0, i32 0, i32 3)
  call void @lgc.emit.vertex__void_i32(i32 3)
  ret void
}

declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.emit.vertex__void_i32(i32)

!lgc.graphics = !{!0, !1, !2, !3}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.outputVertices", i32 4}
!2 = !{!"geometry.output", !"points"}
!3 = !{!"geometry.input", !"points"}
!lgc.options = !{!4}
!4 = !{!"primitivesGeneratedQuery", i32 1}

; RUN: split-file %s %t
; RUN: cat %t/shaders.ll %t/small.ll > %t/1.ll
; RUN: cat %t/shaders.ll %t/instances.ll > %t/2.ll
; RUN: cat %t/shaders.ll %t/many.ll > %t/3.ll
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-geometry %t/1.ll -o - | FileCheck --check-prefix=SMALL %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-geometry %t/2.ll -o - | FileCheck --check-prefix=INSTANCES %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-geometry %t/3.ll -o - | FileCheck --check-prefix=MANY %s
; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-geometry %t/1.ll -o - | FileCheck --check-prefix=LEGACY %s
; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-geometry %t/2.ll -o - | FileCheck --check-prefix=LEGACY2 %s

; One vertex of points: 128 primitives, 128 vertices in front of them; an item is 5 dwords.
; SMALL-DAG: !".vgt_gs_max_vert_out", i64 1}
; SMALL-DAG: !".vgt_gs_mode", !".mode", i64 3}
; SMALL-DAG: !".vgt_gs_mode", !".onchip", i64 1}
; SMALL-DAG: !".vgt_esgs_ring_itemsize", i64 5}
; SMALL-DAG: !".es_gs_lds_size", i64 2560}
; SMALL-DAG: !".vgt_gs_out_prim_type", !".outprim_type", !"PointList"}
; SMALL-DAG: !".vgt_gs_onchip_cntl", !".es_verts_per_subgroup", i64 128}
; SMALL-DAG: !".vgt_gs_onchip_cntl", !".gs_prims_per_subgroup", i64 128}
; SMALL-DAG: !".ge_ngg_subgrp_cntl", !".prim_amp_factor", i64 1}
; SMALL-DAG: !".ge_ngg_subgrp_cntl", !".threads_per_subgroup", i64 256}
; SMALL-DAG: !".max_verts_per_subgroup", i64 128}
; SMALL-DAG: !".nggSubgroupSize", i64 128}
; SMALL-NOT: vgt_gs_instance_cnt

; 20 vertices of each of 4 invocations: 3 primitives of 6 vertices fit 256 lanes.
; INSTANCES-DAG: !".vgt_gs_onchip_cntl", !".es_verts_per_subgroup", i64 18}
; INSTANCES-DAG: !".vgt_gs_onchip_cntl", !".gs_prims_per_subgroup", i64 3}
; INSTANCES-DAG: !".vgt_gs_onchip_cntl", !".gs_inst_prims_per_subgrp", i64 12}
; INSTANCES-DAG: !".max_verts_per_subgroup", i64 240}
; INSTANCES-DAG: !".vgt_gs_instance_cnt", !".enable", i64 1}
; INSTANCES-DAG: !".vgt_gs_instance_cnt", !".count", i64 4}
; INSTANCES-DAG: !".vgt_gs_instance_cnt", !".en_max_vert_out_per_gs_instance", i64 0}
; INSTANCES-DAG: !".gs_outputs_lines", i64 1}

; 100 vertices of 8 invocations are too many for a subgroup: one invocation each. The primitives of
; all invocations are counted together nevertheless.
; MANY-DAG: !".vgt_gs_onchip_cntl", !".gs_prims_per_subgroup", i64 1}
; MANY-DAG: !".vgt_gs_onchip_cntl", !".gs_inst_prims_per_subgrp", i64 8}
; MANY-DAG: !".max_verts_per_subgroup", i64 100}
; MANY-DAG: !".vgt_gs_instance_cnt", !".count", i64 8}
; MANY-DAG: !".vgt_gs_instance_cnt", !".en_max_vert_out_per_gs_instance", i64 1}

; LEGACY-DAG: !".vgt_gs_mode", !".cut_mode", i64 3}
; LEGACY-DAG: !".vgt_gs_mode", !".onchip", i64 1}
; LEGACY-DAG: !".vgt_gs_vert_itemsize", !"[0]", i64 4}
; LEGACY-DAG: !".vgt_gs_vert_itemsize", !"[1]", i64 0}
; LEGACY-DAG: !".vgt_gsvs_ring_offset", !"[0]", i64 4}
; LEGACY-DAG: !".vgt_gsvs_ring_itemsize", i64 4}
; LEGACY-DAG: !".vgt_gs_onchip_cntl", !".gs_prims_per_subgroup", i64 64}
; LEGACY-NOT: .ge_ngg_subgrp_cntl

; With adjacency and invocations at most 127 of both together.
; LEGACY2-DAG: !".vgt_gs_onchip_cntl", !".gs_prims_per_subgroup", i64 31}
; LEGACY2-DAG: !".vgt_gs_onchip_cntl", !".gs_inst_prims_per_subgrp", i64 124}
; LEGACY2-DAG: !".vgt_gsvs_ring_itemsize", i64 80}
; LEGACY2-DAG: !".vgt_gsvs_ring_offset", !"[2]", i64 80}

;--- small.ll
!lgc.graphics = !{!0, !1, !2, !3}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.outputVertices", i32 1}
!2 = !{!"geometry.input", !"points"}
!3 = !{!"geometry.output", !"points"}
;--- instances.ll
!lgc.graphics = !{!0, !1, !2, !3, !4}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.outputVertices", i32 20}
!2 = !{!"geometry.input", !"trianglesAdjacency"}
!3 = !{!"geometry.output", !"lines"}
!4 = !{!"geometry.invocations", i32 4}
;--- many.ll
!lgc.graphics = !{!0, !1, !2}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.outputVertices", i32 100}
!2 = !{!"geometry.invocations", i32 8}
;--- shaders.ll
define void @lgc.shader.VS() {
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> splat (float 1.0), i32 512, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.GS() {
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.emit.vertex__void_i32(i32 0)
  ret void
}
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.emit.vertex__void_i32(i32)

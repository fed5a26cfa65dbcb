; RUN: lgc-opt -mcpu=gfx1030 -passes='lgc-lower-geometry,function(sroa,early-cse)' -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM %s

; Stream 0 is rasterised and captured, stream 2 captured only. Each has its part of the ring, stream
; 2 behind 3 fields x 4 vertices x 64 lanes.
; CHECK-LABEL: define void @lgc.hw.GS()
; CHECK: call <4 x i32> @lgc.driver.table__v4i32_i32(i32 16)
; CHECK: call <4 x i32> @lgc.driver.table__v4i32_i32(i32 24)
; CHECK: add i32 {{%.*}}, 3072
; CHECK: call void @llvm.amdgcn.s.sendmsg(i32 34,
; CHECK: call void @llvm.amdgcn.s.sendmsg(i32 546,

; CHECK-LABEL: define void @lgc.hw.VS()
; CHECK: [[INFO:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 7)
; CHECK: [[SHIFT:%.*]] = lshr i32 [[INFO]], 24
; CHECK: [[STREAM:%.*]] = and i32 [[SHIFT]], 3
; CHECK: icmp eq i32 [[STREAM]], 0
; CHECK: call void @llvm.amdgcn.struct.buffer.store.
; CHECK: call void @llvm.amdgcn.exp.f32(i32 12,
; CHECK: icmp eq i32 [[STREAM]], 2
; CHECK: call void @llvm.amdgcn.struct.buffer.store.
; CHECK-NOT: llvm.amdgcn.exp
; CHECK: ret void
; CHECK-DAG: !".vgt_strmout_config", !".streamout_0_en", i64 1}
; CHECK-DAG: !".vgt_strmout_config", !".streamout_2_en", i64 1}
; CHECK-DAG: !".vgt_strmout_buffer_config", !".stream_2_buffer_en", i64 2}
; CHECK-DAG: !".vgt_gs_vert_itemsize", !"[0]", i64 3}
; CHECK-DAG: !".vgt_gs_vert_itemsize", !"[2]", i64 1}
; CHECK-DAG: !".vgt_gsvs_ring_offset", !"[1]", i64 12}
; CHECK-DAG: !".vgt_gsvs_ring_offset", !"[2]", i64 16}
; CHECK-DAG: !".vgt_gs_out_prim_type", !".outprim_type_2", !"PointList"}

; ASM-LABEL: _amdgpu_vs_main:
; ASM: buffer_store_dword
; ASM: .vs_streamout_en: true
define void @lgc.shader.VS() {
  ret void
}

define void @lgc.shader.GS() {
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 1.0, i32 512, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 2.0, i32 0, i32 0, i32 0, i32 0)
  call void @lgc.xfb.store__void_f32_i32_i32_i32(float 2.0, i32 0, i32 4, i32 0)
  call void @lgc.emit.vertex__void_i32(i32 0)
  call void @lgc.xfb.store__void_f32_i32_i32_i32(float 3.0, i32 1, i32 0, i32 2)
  call void @lgc.emit.vertex__void_i32(i32 2)
  ; nobody wants stream 3
  call void @lgc.emit.vertex__void_i32(i32 3)
  ret void
}

declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.xfb.store__void_f32_i32_i32_i32(float, i32, i32, i32)
declare i32 @lgc.hw.value__i32_i32(i32) memory(none)
declare void @lgc.emit.vertex__void_i32(i32)

!lgc.graphics = !{!0, !1, !2, !3, !4, !5, !6}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.outputVertices", i32 4}
!2 = !{!"geometry.output", !"points"}
!3 = !{!"geometry.input", !"points"}
!4 = !{!"xfb.enabled", i32 1}
!5 = !{!"xfb.strides", i32 8, i32 4, i32 0, i32 0}
!6 = !{!"xfb.streamOfBuffer", i32 0, i32 2, i32 0, i32 0}

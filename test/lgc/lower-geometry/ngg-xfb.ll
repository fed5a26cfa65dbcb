; RUN: lgc-opt -mcpu=gfx1100 -passes='lgc-lower-geometry,function(sroa,early-cse)' -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1201 -passes='lgc-lower-geometry,function(sroa,early-cse)' -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=ASM,ASM11 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=ASM,ASM11 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=ASM,ASM12 %s

; Streams 0 (rasterised) and 2 are captured: each has slots, flags and counts of primitives of its
; own. Captured are complete primitives, vertex by vertex in the order of the API; with the last
; vertex provoking, the first two of odd triangles change places.
; CHECK-LABEL: define void @lgc.hw.GS()
; CHECK: gs.end:
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK: [[FLAG0:%.*]] = load i32
; CHECK: call i64 @llvm.amdgcn.ballot.i64
; CHECK: [[DONE0:%.*]] = and i32 {{%.*}}, 2
; CHECK: [[IS0:%.*]] = icmp ne i32 [[DONE0]], 0
; CHECK: call i64 @llvm.amdgcn.ballot.i64(i1 [[IS0]])
; CHECK: [[DONE2:%.*]] = and i32 {{%.*}}, 2
; CHECK: [[IS2:%.*]] = icmp ne i32 [[DONE2]], 0
; CHECK: call i64 @llvm.amdgcn.ballot.i64(i1 [[IS2]])
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK-COUNT-3: %wave.counts{{.*}} = load <4 x i32>
; CHECK: [[RUN0:%.*]] = and i1 [[IS0]], {{%.*}}
; CHECK: br i1 [[RUN0]]
; CHECK: [[A:%.*]] = sub i32 %thread{{.*}}, 2
; CHECK: [[B:%.*]] = sub i32 %thread{{.*}}, 1
; CHECK: [[ODD:%.*]] = icmp ne i32 {{%.*}}, 0
; CHECK: select i1 [[ODD]], i32 [[B]], i32 [[A]]
; CHECK: select i1 [[ODD]], i32 [[A]], i32 [[B]]
; CHECK-COUNT-3: call void @llvm.amdgcn.{{raw|struct}}.buffer.store.{{.*}}i32(i32
; CHECK: [[RUN2:%.*]] = and i1 [[IS2]], {{%.*}}
; CHECK: br i1 [[RUN2]]
; CHECK-COUNT-3: call void @llvm.amdgcn.{{raw|struct}}.buffer.store.{{.*}}i32(i32
; CHECK: call void @llvm.amdgcn.s.sendmsg(i32 9,
; CHECK: call void @llvm.amdgcn.exp.i32(i32 20,

; ASM-LABEL: _amdgpu_gs_main:
; ASM11: ds_ordered_count
; ASM12: global_atomic_ordered_add_b64
; ASM: buffer_store_b32
; ASM: s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
; ASM: .ngg_wave_id_en: true
; ASM: .streamout_vertex_strides:
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
!2 = !{!"provokingVertexMode", !"last"}
!3 = !{!"geometry.input", !"points"}
!4 = !{!"xfb.enabled", i32 1}
!5 = !{!"xfb.strides", i32 8, i32 4, i32 0, i32 0}
!6 = !{!"xfb.streamOfBuffer", i32 0, i32 2, i32 0, i32 0}

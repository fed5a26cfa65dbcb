; RUN: sed 's/@DOMAIN@/triangles/; s/@MODE@/!"tess.order", !"cw"/' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefixes=CHECK,TRIANGLES %s
; RUN: sed 's/@DOMAIN@/quads/; s/@MODE@/!"tess.spacing", !"fractionalOdd"/' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefixes=CHECK,QUADS %s
; RUN: sed 's/@DOMAIN@/isolines/; s/@MODE@/!"tess.spacing", !"fractionalEven"/' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefixes=CHECK,ISOLINES %s
; RUN: sed 's/@DOMAIN@/quads/; s/@MODE@/!"tess.pointMode", i32 1/' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefix=POINTS %s
; RUN: sed 's/@DOMAIN@/quads/; s/@MODE@/!"switchWinding", i32 1/' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefix=SWITCHED %s

; The ring's dwords of a patch, by domain. One output control point: no barrier before them.
; CHECK-LABEL: define void @lgc.hw.HS()
; CHECK-NOT: barrier
; CHECK: factors:
; TRIANGLES: [[O0:%.*]] = load i32
; TRIANGLES: [[O1:%.*]] = load i32
; TRIANGLES: [[O2:%.*]] = load i32
; TRIANGLES: [[I0:%.*]] = load i32
; TRIANGLES: mul nuw i32 {{%.*}}, 16
; TRIANGLES: insertelement <4 x i32> poison, i32 [[O0]], i64 0
; TRIANGLES: insertelement <4 x i32> {{%.*}}, i32 [[O1]], i64 1
; TRIANGLES: insertelement <4 x i32> {{%.*}}, i32 [[O2]], i64 2
; TRIANGLES: insertelement <4 x i32> {{%.*}}, i32 [[I0]], i64 3
; TRIANGLES: buffer.store.v4i32
; TRIANGLES-NOT: buffer.store

; QUADS: [[OFFSET:%.*]] = mul nuw i32 {{%.*}}, 24
; QUADS: buffer.store.v4i32
; The second inner level is never stored.
; QUADS: insertelement <2 x i32> {{%.*}}, i32 0, i64 1
; QUADS: [[INNER:%.*]] = add nuw i32 [[OFFSET]], 16
; QUADS: buffer.store.v2i32({{.*}}, i32 [[INNER]],

; ISOLINES: [[A1:%.*]] = add nuw i32 {{%.*}}, [[#DETAIL:]]
; ISOLINES: [[G1:%.*]] = getelementptr inbounds i32, ptr addrspace(3) @lgc.lds.HS, i32 [[A1]]
; ISOLINES: [[O1:%.*]] = load i32, ptr addrspace(3) [[G1]]
; ISOLINES: [[A0:%.*]] = add nuw i32 {{%.*}}, [[#DETAIL-1]]
; ISOLINES: [[G0:%.*]] = getelementptr inbounds i32, ptr addrspace(3) @lgc.lds.HS, i32 [[A0]]
; ISOLINES: [[O0:%.*]] = load i32, ptr addrspace(3) [[G0]]
; ISOLINES: mul nuw i32 {{%.*}}, 8
; ISOLINES: insertelement <2 x i32> poison, i32 [[O1]], i64 0
; ISOLINES: insertelement <2 x i32> {{%.*}}, i32 [[O0]], i64 1
; ISOLINES: buffer.store.v2i32
; ISOLINES-NOT: buffer.store

; Only triangles have a third coordinate.
; CHECK-LABEL: define void @lgc.shader.TES()
; TRIANGLES: fsub
; QUADS-NOT: fsub
; QUADS: insertelement <3 x float> {{%.*}}, float 0.000000e+00, i64 2

; TRIANGLES: !{!".graphics_registers", !".vgt_tf_param", !".type", i64 1}
; TRIANGLES: !{!".graphics_registers", !".vgt_tf_param", !".partitioning", i64 0}
; TRIANGLES: !{!".graphics_registers", !".vgt_tf_param", !".topology", i64 2}
; QUADS: !{!".graphics_registers", !".vgt_tf_param", !".type", i64 2}
; QUADS: !{!".graphics_registers", !".vgt_tf_param", !".partitioning", i64 2}
; QUADS: !{!".graphics_registers", !".vgt_tf_param", !".topology", i64 3}
; ISOLINES: !{!".graphics_registers", !".vgt_tf_param", !".type", i64 0}
; ISOLINES: !{!".graphics_registers", !".vgt_tf_param", !".partitioning", i64 3}
; ISOLINES: !{!".graphics_registers", !".vgt_tf_param", !".topology", i64 1}
; POINTS: !{!".graphics_registers", !".vgt_tf_param", !".type", i64 2}
; POINTS: !{!".graphics_registers", !".vgt_tf_param", !".topology", i64 0}
; SWITCHED: !{!".graphics_registers", !".vgt_tf_param", !".topology", i64 2}
define void @lgc.shader.VS() {
  ret void
}
define void @lgc.shader.TCS() {
  %prim = call i32 @lgc.builtin__i32_i32(i32 25)
  %f = sitofp i32 %prim to float
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %f, i32 522, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float 2.0, i32 522, i32 1, i32 0, i32 poison)
  call void @lgc.output.store__v_v2f32_i32_i32_i32_i32(<2 x float> <float 3.0, float 4.0>, i32 522, i32 2, i32 0, i32 poison)
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float 5.0, i32 523, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.TES() {
  %c = call <3 x float> @lgc.builtin__v3f32_i32(i32 23)
  %p = shufflevector <3 x float> %c, <3 x float> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare <3 x float> @lgc.builtin__v3f32_i32(i32)
declare void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__v_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__v_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!4}
!4 = !{!"gfx1030"}
!lgc.graphics = !{!0, !1, !2, !3, !5}
!0 = !{!"stages", !"vertex", !"tessControl", !"tessEval"}
!1 = !{!"patchControlPoints", i32 1}
!2 = !{!"tess.domain", !"@DOMAIN@"}
!3 = !{!"tess.outputVertices", i32 1}
!5 = !{@MODE@}

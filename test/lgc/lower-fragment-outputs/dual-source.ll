; RUN: split-file %s %t
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -verify-each -mcpu=gfx1030 %t/static.ll -o - | FileCheck %t/static.ll --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -verify-each -mcpu=gfx1100 %t/static.ll -o - | FileCheck %t/static.ll --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -verify-each -mcpu=gfx1201 %t/dynamic.ll -o - | FileCheck %t/dynamic.ll
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1010 %t/static.ll -o - | FileCheck %t/static.ll --check-prefix=ASM10
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1100 %t/static.ll -o - | FileCheck %t/static.ll --check-prefix=ASM11
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1201 %t/dynamic.ll -o - | FileCheck %t/dynamic.ll --check-prefix=ASM12

;--- static.ll
; Two sources are two exports of the same format; from gfx11 on a pair of lanes is interleaved, with helpers, because a lane
; may carry its neighbour's second source.
; GFX10: call void @llvm.amdgcn.exp.compr.v2f16(i32 0, i32 15, {{.*}}, i1 false, i1 false)
; GFX10: call void @llvm.amdgcn.exp.compr.v2f16(i32 1, i32 15, {{.*}}, i1 true, i1 true)
; GFX11: [[ODD:%.*]] = trunc i32 {{.*}} to i1
; GFX11: [[A:%.*]] = bitcast <2 x half> {{.*}} to i32
; GFX11: [[B:%.*]] = bitcast <2 x half> {{.*}} to i32
; GFX11: [[AX:%.*]] = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 [[A]], i32 177, i32 15, i32 15, i1 true)
; GFX11: [[BX:%.*]] = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 [[B]], i32 177, i32 15, i32 15, i1 true)
; GFX11: [[EVEN:%.*]] = select i1 [[ODD]], i32 [[BX]], i32 [[A]]
; GFX11: call i32 @llvm.amdgcn.wqm.i32(i32 [[EVEN]])
; GFX11: [[O:%.*]] = select i1 [[ODD]], i32 [[B]], i32 [[AX]]
; GFX11: call i32 @llvm.amdgcn.wqm.i32(i32 [[O]])
; GFX11: call void @llvm.amdgcn.exp.f32(i32 21, i32 3, {{.*}}, i1 false, i1 false)
; GFX11: call void @llvm.amdgcn.exp.f32(i32 22, i32 3, {{.*}}, i1 true, i1 true)
; CHECK-DAG: ".spi_shader_col_format", !".col_0_export_format", i64 4}
; CHECK-DAG: ".spi_shader_col_format", !".col_1_export_format", i64 4}
; CHECK-DAG: ".cb_shader_mask", !".output1_enable", i64 15}
; ASM10: exp mrt0 {{.*}} compr
; ASM10: exp mrt1 {{.*}} done compr vm
; ASM11: s_wqm_b64 exec, exec
; ASM11: quad_perm:[1,0,3,2]
; ASM11: exp dual_src_blend0
; ASM11: exp dual_src_blend1 {{.*}} done
define void @lgc.shader.FS() {
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %a = call <4 x float> @lgc.input.interpolate__v4f32_i32_i32_i32_v2f32(i32 0, i32 0, i32 0, <2 x float> %ij)
  %b = call <4 x float> @lgc.input.interpolate__v4f32_i32_i32_i32_v2f32(i32 1, i32 0, i32 0, <2 x float> %ij)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %a, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %b, i32 128, i32 0, i32 0, i32 poison)
  ret void
}
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)
declare <4 x float> @lgc.input.interpolate__v4f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!lgc.color.targets = !{!3}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"dualSourceBlendEnable", i32 1}
!3 = !{i32 0, !"RGBA8.unorm", i32 15, i32 1, i32 0}

;--- dynamic.ll
; The driver says before each draw which it is.
; CHECK: [[DATA:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435491)
; CHECK: [[SHIFTED:%.*]] = lshr i32 [[DATA]], 7
; CHECK: [[DUAL:%.*]] = trunc i32 [[SHIFTED]] to i1
; CHECK: br i1 [[DUAL]], label %export.dual, label %export.plain
; CHECK: export.dual:
; CHECK: call void @llvm.amdgcn.exp.f32(i32 22, {{.*}}, i1 true, i1 true)
; CHECK: export.plain:
; CHECK: call void @llvm.amdgcn.exp.f32(i32 0, {{.*}}, i1 false, i1 false)
; CHECK: call void @llvm.amdgcn.exp.f32(i32 1, {{.*}}, i1 true, i1 true)
; ASM12: s_and_b32 {{.*}}, 0x80
; ASM12: s_cbranch
; ASM12-DAG: export dual_src_blend1 {{.*}} done
; ASM12-DAG: export mrt1 {{.*}} done
define void @lgc.shader.FS() {
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %a = call <4 x float> @lgc.input.interpolate__v4f32_i32_i32_i32_v2f32(i32 0, i32 0, i32 0, <2 x float> %ij)
  %b = call <4 x float> @lgc.input.interpolate__v4f32_i32_i32_i32_v2f32(i32 1, i32 0, i32 0, <2 x float> %ij)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %a, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %b, i32 128, i32 0, i32 0, i32 poison)
  ret void
}
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)
declare <4 x float> @lgc.input.interpolate__v4f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!lgc.color.targets = !{!3}
!0 = !{!"gfx1201"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"dualSourceBlendDynamic", i32 1}
!3 = !{i32 0, !"RGBA8.unorm", i32 15, i32 1, i32 0}

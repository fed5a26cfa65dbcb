; RUN: lgc-opt -passes='lgc-lower-fragment-outputs,function(instsimplify)' -verify-each -mcpu=gfx1010 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX101
; RUN: lgc-opt -passes='lgc-lower-fragment-outputs,function(instsimplify)' -verify-each -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX103
; RUN: lgc-opt -passes='lgc-lower-fragment-outputs,function(instsimplify)' -verify-each -mcpu=gfx1100 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX11

; Export targets have no holes, the bits of CB_SHADER_MASK have: location 1 has no target, location 3 is not written. Packed
; formats take two components a dword, until gfx10 in an instruction of its own. Without RB+ (gfx10.1) one component of up to
; 16 bits goes out as 32 bits.
; CHECK: [[LOW:%.*]] = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %r, float %g)
; CHECK: [[HIGH:%.*]] = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %b, float %a)
; GFX101: bitcast i32 %i to float
; GFX103: call <2 x i16> @llvm.amdgcn.cvt.pk.u16(i32 %i, i32 poison)
; CHECK: [[S0:%.*]] = call <2 x i16> @llvm.amdgcn.cvt.pknorm.i16(float %r, float %g)
; Only the components that the target has and the mask lets through.
; CHECK: [[S1:%.*]] = call <2 x i16> @llvm.amdgcn.cvt.pknorm.i16(float %b, float poison)
; GFX101: call void @llvm.amdgcn.exp.compr.v2f16(i32 0, i32 15, <2 x half> {{.*}}, <2 x half> {{.*}}, i1 false, i1 false)
; GFX101: call void @llvm.amdgcn.exp.f32(i32 1, i32 1, float {{.*}}, float poison, float poison, float poison, i1 false, i1 false)
; GFX101: call void @llvm.amdgcn.exp.compr.v2f16(i32 2, i32 15, <2 x half> {{.*}}, <2 x half> {{.*}}, i1 false, i1 false)
; GFX101: call void @llvm.amdgcn.exp.f32(i32 3, i32 3, float %r, float %g, float poison, float poison, i1 true, i1 true)
; GFX103: call void @llvm.amdgcn.exp.compr.v2f16(i32 1, i32 3, <2 x half> {{.*}}, <2 x half> poison, i1 false, i1 false)
; GFX11: call void @llvm.amdgcn.exp.f32(i32 0, i32 3, float {{.*}}, float {{.*}}, float poison, float poison, i1 false, i1 false)
; GFX11: call void @llvm.amdgcn.exp.f32(i32 1, i32 1, float {{.*}}, float poison, float poison, float poison, i1 false, i1 false)
; GFX11: call void @llvm.amdgcn.exp.f32(i32 2, i32 3,
; GFX11: call void @llvm.amdgcn.exp.f32(i32 3, i32 3, float %r, float %g, float poison, float poison, i1 true, i1 true)
; CHECK: attributes #[[#]] = { {{.*}}"amdgpu-color-export"="1" "amdgpu-depth-export"="0"
; CHECK-DAG: ".spi_shader_col_format", !".col_0_export_format", i64 4}
; GFX101-DAG: ".spi_shader_col_format", !".col_1_export_format", i64 1}
; GFX103-DAG: ".spi_shader_col_format", !".col_1_export_format", i64 7}
; CHECK-DAG: ".spi_shader_col_format", !".col_2_export_format", i64 6}
; CHECK-DAG: ".spi_shader_col_format", !".col_3_export_format", i64 2}
; CHECK-DAG: ".spi_shader_col_format", !".col_4_export_format", i64 0}
; CHECK-DAG: ".cb_shader_mask", !".output0_enable", i64 15}
; CHECK-DAG: ".cb_shader_mask", !".output1_enable", i64 0}
; GFX101-DAG: ".cb_shader_mask", !".output2_enable", i64 1}
; GFX103-DAG: ".cb_shader_mask", !".output2_enable", i64 15}
; CHECK-DAG: ".cb_shader_mask", !".output3_enable", i64 0}
; CHECK-DAG: ".cb_shader_mask", !".output4_enable", i64 15}
; CHECK-DAG: ".cb_shader_mask", !".output5_enable", i64 3}
; CHECK-DAG: ".db_shader_control", !".z_order", i64 1}
; CHECK-DAG: ".db_shader_control", !".kill_enable", i64 0}
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %r = load volatile float, ptr addrspace(1) %p
  %g = load volatile float, ptr addrspace(1) %p
  %b = load volatile float, ptr addrspace(1) %p
  %a = load volatile float, ptr addrspace(1) %p
  %i = load volatile i32, ptr addrspace(1) %p
  %v0 = insertelement <4 x float> poison, float %r, i32 0
  %v1 = insertelement <4 x float> %v0, float %g, i32 1
  %v2 = insertelement <4 x float> %v1, float %b, i32 2
  %c = insertelement <4 x float> %v2, float %a, i32 3
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %c, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %c, i32 1, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %i, i32 2, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %c, i32 4, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %c, i32 5, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.color.targets = !{!2, !3, !4, !5, !6}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{i32 0, !"RGBA8.unorm", i32 15, i32 0, i32 0}
!3 = !{i32 2, !"R16.uint", i32 15, i32 0, i32 0}
!4 = !{i32 3, !"RGBA8.unorm", i32 15, i32 0, i32 0}
!5 = !{i32 4, !"RGBA16.snorm", i32 7, i32 0, i32 0}
!6 = !{i32 5, !"RG32.float", i32 15, i32 1, i32 0}

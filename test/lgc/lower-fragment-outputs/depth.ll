; RUN: split-file %s %t
; RUN: lgc-opt -passes='lgc-lower-fragment-outputs,function(instsimplify)' -verify-each -mcpu=gfx1030 %t/coverage.ll -o - | FileCheck %t/coverage.ll --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes='lgc-lower-fragment-outputs,function(instsimplify)' -verify-each -mcpu=gfx1100 %t/coverage.ll -o - | FileCheck %t/coverage.ll --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -passes='lgc-lower-fragment-outputs,function(instsimplify)' -verify-each -mcpu=gfx1201 %t/stencil.ll -o - | FileCheck %t/stencil.ll
; RUN: lgc-opt -passes='lgc-lower-fragment-outputs,function(instsimplify)' -verify-each -mcpu=gfx1100 %t/killed.ll -o - | FileCheck %t/killed.ll
; RUN: lgc-opt -passes='lgc-lower-fragment-outputs,function(instsimplify)' -verify-each -mcpu=gfx1100 %t/memory.ll -o - | FileCheck %t/memory.ll
; RUN: lgc-opt -passes='lgc-lower-fragment-outputs' -verify-each -mcpu=gfx1100 %t/early.ll -o - | FileCheck %t/early.ll
; RUN: not lgc-opt -passes=lgc-lower-fragment-outputs -mcpu=gfx1100 %t/format.ll -o - 2>&1 | FileCheck %s --check-prefix=FORMAT

; FORMAT: unsupported: colour target 1: format RGB8.unorm cannot be rendered to

;--- coverage.ll
; Depth and alpha to coverage. From gfx11 on alpha is in the export of depth when there is one, so the target without an
; attachment needs none; before, it is exported for its alpha alone.
; GFX11: call void @llvm.amdgcn.exp.f32(i32 8, i32 3, float %z, float %a, float poison, float poison, i1 true, i1 true)
; GFX10: call void @llvm.amdgcn.exp.f32(i32 8, i32 1, float %z, float poison, float poison, float poison, i1 false, i1 false)
; GFX10: call void @llvm.amdgcn.exp.f32(i32 0, i32 2, float poison, float %a, float poison, float poison, i1 true, i1 true)
; GFX11-DAG: ".spi_shader_z_format", i64 3}
; GFX11-DAG: ".cb_shader_mask", !".output0_enable", i64 0}
; GFX10-DAG: ".spi_shader_z_format", i64 1}
; GFX10-DAG: ".cb_shader_mask", !".output0_enable", i64 9}
; GFX10-DAG: ".spi_shader_col_format", !".col_0_export_format", i64 3}
; CHECK-DAG: ".db_shader_control", !".alpha_to_mask_disable", i64 0}
; CHECK-DAG: ".db_shader_control", !".conservative_z_export", i64 2}
; CHECK-DAG: ".db_shader_control", !".z_export_enable", i64 1}
; CHECK-DAG: ".hardware_stages", !".ps", !".writes_depth", i64 1}
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %z = load volatile float, ptr addrspace(1) %p
  %a = load volatile float, ptr addrspace(1) %p
  %c = insertelement <4 x float> zeroinitializer, float %a, i32 3
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %c, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %z, i32 526, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3, !4}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"alphaToCoverageEnable", i32 1}
!3 = !{!"fragment.depthReplacing", i32 1}
!4 = !{!"fragment.depth", !"greater"}

;--- stencil.ll
; Stencil and mask. Two ends become one; the mask is undefined in one of them.
; CHECK: end:
; CHECK: [[S:%.*]] = phi i32 [ {{.*}} ], [ {{.*}} ]
; CHECK: [[F:%.*]] = bitcast i32 [[S]] to float
; CHECK: call void @llvm.amdgcn.exp.f32(i32 8, i32 6, float poison, float [[F]], float 0x36B8000000000000, float poison, i1 true, i1 true)
; CHECK: ret void
; CHECK-DAG: ".spi_shader_z_format", i64 9}
; CHECK-DAG: ".db_shader_control", !".stencil_test_val_export_enable", i64 1}
; CHECK-DAG: ".db_shader_control", !".mask_export_enable", i64 1}
; CHECK-DAG: !{!".ps_sample_mask", i64 1}
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %s = load volatile i32, ptr addrspace(1) %p
  %c = icmp eq i32 %s, 1
  br i1 %c, label %write, label %skip
write:
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %s, i32 527, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 3, i32 528, i32 0, i32 0, i32 poison)
  ret void
skip:
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 5, i32 527, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1201"}
!1 = !{!"stages", !"vertex", !"fragment"}

;--- killed.ll
; A shader that kills but exports nothing still exports something for the hardware.
; CHECK: call void @llvm.amdgcn.exp.f32(i32 0, i32 1, float 0.000000e+00, float poison, float poison, float poison, i1 true, i1 true)
; CHECK-DAG: !{!".ps_dummy_export", i64 1}
; CHECK-DAG: ".spi_shader_col_format", !".col_0_export_format", i64 1}
; CHECK-DAG: ".cb_shader_mask", !".output0_enable", i64 1}
; CHECK-DAG: ".db_shader_control", !".kill_enable", i64 1}
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %s = load volatile i32, ptr addrspace(1) %p
  %c = icmp eq i32 %s, 1
  call void @llvm.amdgcn.kill(i1 %c)
  ret void
}
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}

;--- memory.ll
; Pixels that fail the depth test write memory too.
; CHECK-NOT: @llvm.amdgcn.exp
; CHECK-DAG: ".db_shader_control", !".z_order", i64 0}
; CHECK-DAG: ".db_shader_control", !".exec_on_hier_fail", i64 1}
; CHECK-DAG: ".db_shader_control", !".exec_on_noop", i64 1}
; CHECK-DAG: ".hardware_stages", !".ps", !".uses_uavs", i64 1}
; CHECK-DAG: ".hardware_stages", !".ps", !".writes_uavs", i64 1}
; CHECK-DAG: ".spi_shader_col_format", !".col_0_export_format", i64 0}
define void @lgc.shader.FS() {
  %h = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 0, i32 0)
  %p = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h, i32 0)
  store i32 1, ptr addrspace(7) %p
  ret void
}
declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32)
declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}

;--- format.ll
define void @lgc.shader.FS() {
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 7, i32 1, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.color.targets = !{!2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{i32 1, !"RGB8.unorm", i32 15, i32 0, i32 0}

;--- early.ll
; What was tested before the shader is not tested again.
; CHECK-NOT: @llvm.amdgcn.exp
; CHECK-DAG: ".spi_shader_z_format", i64 0}
; CHECK-DAG: ".db_shader_control", !".depth_before_shader", i64 1}
; CHECK-DAG: ".db_shader_control", !".z_export_enable", i64 0}
; CHECK-DAG: ".db_shader_control", !".stencil_test_val_export_enable", i64 0}
define void @lgc.shader.FS() {
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 0.5, i32 526, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"fragment.earlyTests", i32 1}

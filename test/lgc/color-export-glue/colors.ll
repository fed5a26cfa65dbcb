; What a fragment part leaves in v0 and up is exported in the formats of the targets.
; RUN: split-file %s %t
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1010 %t/colors.ll -o - | FileCheck %t/colors.ll --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1030 %t/colors.ll -o - | FileCheck %t/colors.ll --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1100 %t/colors.ll -o - | FileCheck %t/colors.ll --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1150 %t/colors.ll -o - | FileCheck %t/colors.ll --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1201 %t/colors.ll -o - | FileCheck %t/colors.ll --check-prefixes=CHECK,GFX12
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1030 %t/dual.ll -o - | FileCheck %t/dual.ll --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1100 %t/dual.ll -o - | FileCheck %t/dual.ll --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1201 %t/dual.ll -o - | FileCheck %t/dual.ll --check-prefixes=CHECK,GFX12
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1010 %t/plain.ll -o - | FileCheck %t/plain.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1201 %t/plain.ll -o - | FileCheck %t/plain.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1030 %t/killed.ll -o - | FileCheck %t/killed.ll --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1201 %t/killed.ll -o - | FileCheck %t/killed.ll --check-prefixes=CHECK,GFX12
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1201 %t/nothing.ll -o - | FileCheck %t/nothing.ll
; RUN: not lgc-opt -glue=color-export -filetype=asm %t/nothing.ll -o - 2>&1 | FileCheck %s --check-prefix=NONE

; NONE: invalid input: glue: color export without a signature

;--- colors.ll
; rgba of location 0 to RGBA8, location 1 has no target, half-wide r and g of location 2 to RG16F, depth.
; The part has waited where the hardware does not (lgc/machine/PartBoundaryWaits.h).
; CHECK: _amdgpu_ps_main:
; CHECK-NOT: s_waitcnt_depctr
; GFX12-NOT: ds_nop
; GFX10: v_cvt_pkrtz_f16_f32_e32 v{{[0-9]+}}, v0, v1
; GFX10: exp mrtz v8, off, off, off
; GFX10-NEXT: exp mrt0 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}} compr
; GFX10: exp mrt1 v{{[0-9]+}}, v{{[0-9]+}}, off, off done compr vm
; GFX11: v_cvt_pk_rtz_f16_f32_e32 v{{[0-9]+}}, v0, v1
; GFX11: exp mrtz v8, off, off, off
; GFX11-NEXT: exp mrt0 v{{[0-9]+}}, v{{[0-9]+}}, off, off
; GFX11: exp mrt1 v{{[0-9]+}}, off, off, off done
; GFX12: export mrtz v8, off, off, off
; GFX12: export mrt0 v{{[0-9]+}}, v{{[0-9]+}}, off, off
; GFX12: export mrt1 v{{[0-9]+}}, off, off, off done
; CHECK: s_endpgm
; CHECK: .cb_shader_mask:
; CHECK: .output0_enable: 0xf
; CHECK: .output1_enable: 0
; CHECK: .output2_enable: 0xf
; CHECK: .alpha_to_mask_disable: true
; CHECK: .z_export_enable: true
; CHECK: .col_0_export_format: 0x4
; CHECK: .col_1_export_format: 0x4
; CHECK: .col_2_export_format: 0
; CHECK: .spi_shader_z_format: 0x1
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %c = load volatile <4 x float>, ptr addrspace(1) %p
  %h = load volatile <2 x half>, ptr addrspace(1) %p
  %d = load volatile float, ptr addrspace(1) %p
  %i = load volatile i32, ptr addrspace(1) %p
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %c, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %i, i32 1, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %i, i32 1, i32 1, i32 0, i32 poison)
  call void @lgc.output.store__void_v2f16_i32_i32_i32_i32(<2 x half> %h, i32 2, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %d, i32 526, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
declare void @lgc.output.store__void_v2f16_i32_i32_i32_i32(<2 x half>, i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2}
!lgc.color.targets = !{!3, !4}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateColorExport", i32 1}
!3 = !{i32 0, !"RGBA8.unorm", i32 15, i32 0, i32 0}
!4 = !{i32 2, !"RG16.float", i32 15, i32 0, i32 0}

;--- plain.ll
; What converts from VGPRs to VGPRs only needs no waits but on gfx11.
; CHECK: _amdgpu_ps_main:
; CHECK-NOT: ds_nop
; CHECK-NOT: s_{{[a-z]}}
; CHECK: v_cvt_pk{{_?}}rtz_f16_f32
; CHECK-NOT: s_{{[a-z]}}
; CHECK: exp{{(ort)?}} mrt0
; CHECK: s_endpgm
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %c = load volatile <4 x float>, ptr addrspace(1) %p
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %c, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2}
!lgc.color.targets = !{!3}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateColorExport", i32 1}
!3 = !{i32 0, !"RGBA8.unorm", i32 15, i32 0, i32 0}

;--- dual.ll
; Two blend sources. From gfx11 on helpers take part, whose values the part keeps in the registers.
; CHECK: _amdgpu_ps_main:
; GFX10-NOT: s_wqm
; GFX11-NOT: {{[[:space:]][sv]_(mov|wqm)}}
; GFX12-NOT: {{[[:space:]][sv]_(mov|wqm)}}
; GFX10: exp mrt0 v0, v1, v2, v3
; GFX10-NEXT: exp mrt1 v4, v5, v6, v7 done vm
; GFX11: s_waitcnt_depctr 0xffe
; GFX12-COUNT-8: ds_nop
; GFX12: s_wqm_b64 exec, exec
; GFX11: s_wqm_b64 exec, exec
; GFX11: quad_perm:[1,0,3,2]
; GFX11: s_mov_b64 exec,
; GFX11: exp dual_src_blend0
; GFX11: exp dual_src_blend1 {{.*}} done
; GFX12: export dual_src_blend1 {{.*}} done
; CHECK: s_endpgm
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %a = load volatile <4 x float>, ptr addrspace(1) %p
  %b = load volatile <4 x float>, ptr addrspace(1) %p
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %a, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %b, i32 128, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !4}
!lgc.part = !{!2}
!lgc.color.targets = !{!3}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateColorExport", i32 1}
!3 = !{i32 0, !"RGBA32.float", i32 15, i32 0, i32 0}
!4 = !{!"dualSourceBlendEnable", i32 1}

;--- killed.ll
; A shader that kills. The colour has no target; from gfx11 on waves that are killed before they get here export a colour,
; so there must be one.
; CHECK: _amdgpu_ps_main:
; GFX10: exp mrtz v1, off, off, off done vm
; GFX12: v_mov_b32_e32 [[ZERO:v[0-9]+]], 0
; GFX12: export mrtz v1, off, off, off
; GFX12: export mrt0 [[ZERO]], off, off, off done
; CHECK: s_endpgm
; GFX10: .output0_enable: 0
; GFX12: .output0_enable: 0x1
; GFX10: .col_0_export_format: 0
; GFX12: .col_0_export_format: 0x1
; CHECK-NOT: .ps_dummy_export
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %x = load volatile float, ptr addrspace(1) %p
  %c = fcmp olt float %x, 0.0
  call void @llvm.amdgcn.kill(i1 %c)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 526, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateColorExport", i32 1}

;--- nothing.ll
; CHECK: _amdgpu_ps_main:
; CHECK: s_endpgm
; CHECK: .graphics_registers:
; CHECK-NEXT: .cb_shader_mask:
define void @lgc.shader.FS() {
  ret void
}
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateColorExport", i32 1}

; Without colour formats the shader returns its outputs in VGPRs, and its code falls through to the glue.
; RUN: split-file %s %t
; RUN: lgc-opt -passes='lgc-lower-fragment-outputs,function(instsimplify)' -verify-each -mcpu=gfx1030 %t/all.ll -o - | FileCheck %t/all.ll
; RUN: lgc-opt -passes='lgc-lower-fragment-outputs,function(instsimplify)' -verify-each -mcpu=gfx1100 %t/all.ll -o - | FileCheck %t/all.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -verify-each -mcpu=gfx1100 %t/early.ll -o - | FileCheck %t/early.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-outputs -verify-each -mcpu=gfx1201 %t/nothing.ll -o - | FileCheck %t/nothing.ll
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1201 %t/nothing.ll -o - | FileCheck %t/nothing.ll --check-prefix=ASM
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1100 %t/endless.ll -o - | FileCheck %t/endless.ll --check-prefix=ASM
; RUN: not lgc-opt -passes=lgc-lower-fragment-outputs -mcpu=gfx1100 %t/mixed.ll -o - 2>&1 | FileCheck %s --check-prefix=MIXED
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1010 %t/kill.ll -o - | FileCheck %t/kill.ll --check-prefixes=ASM,NULL,PLAIN
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1030 %t/kill.ll -o - | FileCheck %t/kill.ll --check-prefixes=ASM,NULL,PLAIN
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1100 %t/kill.ll -o - | FileCheck %t/kill.ll --check-prefixes=ASM,MRT0,WAITS
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1150 %t/kill.ll -o - | FileCheck %t/kill.ll --check-prefixes=ASM,MRT0,WAITS
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1201 %t/kill.ll -o - | FileCheck %t/kill.ll --check-prefixes=ASM,MRT0,PLAIN

; MIXED: unsupported: part: components of different types at output location 1

;--- all.ll
; Colours by location, index and component; depth, stencil, mask. 16 bits are in the low half, integers are floats by type.
; CHECK-LABEL: define { float, float, float, float, float, float, float, float } @lgc.shader.FS()
; CHECK-SAME: [[ATTRS:#[0-9]+]]
; CHECK-NOT: @llvm.amdgcn.exp
; CHECK: [[H:%.*]] = bitcast half %h to i16
; CHECK-NEXT: [[Z:%.*]] = zext i16 [[H]] to i32
; CHECK-NEXT: [[HF:%.*]] = bitcast i32 [[Z]] to float
; CHECK: [[SF:%.*]] = bitcast i32 %i to float
; CHECK: insertvalue {{.*}} poison, float %x, 0
; CHECK: insertvalue {{.*}}, float %y, 1
; CHECK: insertvalue {{.*}}, float %z, 2
; CHECK: insertvalue {{.*}}, float %y, 3
; CHECK: insertvalue {{.*}}, float [[HF]], 4
; CHECK: insertvalue {{.*}}, float %x, 5
; CHECK: insertvalue {{.*}}, float [[SF]], 6
; CHECK: insertvalue {{.*}}, float {{.*}}, 7
; CHECK: ret { float, float, float, float, float, float, float, float }
; CHECK: attributes [[ATTRS]] = { "amdgpu-color-export"="1" "amdgpu-depth-export"="1" "amdgpu-ps-wqm-outputs" }
; What the formats decide is not for the part to say.
; CHECK-NOT: .spi_shader
; CHECK-NOT: .cb_shader_mask
; CHECK-NOT: _export_enable
; CHECK-NOT: alpha_to_mask
; CHECK-DAG: ".db_shader_control", !".kill_enable", i64 0}
; CHECK-DAG: ".hardware_stages", !".ps", !".writes_depth", i64 1}
; CHECK-DAG: !{!".ps_sample_mask", i64 1}
; CHECK-DAG: !lgc.part.info = !{
; CHECK-NOT: .spi_shader
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %x = load volatile float, ptr addrspace(1) %p
  %y = load volatile float, ptr addrspace(1) %p
  %z = load volatile float, ptr addrspace(1) %p
  %h = load volatile half, ptr addrspace(1) %p
  %i = load volatile i32, ptr addrspace(1) %p
  %a = insertelement <2 x float> poison, float %x, i32 0
  %b = insertelement <2 x float> %a, float %y, i32 1
  call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> %b, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %z, i32 128, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %y, i32 128, i32 3, i32 0, i32 poison)
  call void @lgc.output.store__void_f16_i32_i32_i32_i32(half %h, i32 5, i32 1, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 526, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %i, i32 527, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 3, i32 528, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_f16_i32_i32_i32_i32(half, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateColorExport", i32 1}

;--- early.ll
; Depth that was tested before the shader is not tested again.
; CHECK: define { float } @lgc.shader.FS()
; CHECK: [[R:%.*]] = insertvalue { float } poison, float %x, 0
; CHECK: ret { float } [[R]]
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %x = load volatile float, ptr addrspace(1) %p
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 2, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 526, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !3}
!lgc.part = !{!2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateColorExport", i32 1}
!3 = !{!"fragment.earlyTests", i32 1}

;--- nothing.ll
; Without outputs something undefined is returned: a function without a result would end the program.
; CHECK: define { float } @lgc.shader.FS()
; CHECK: ret { float } poison
; ASM: _amdgpu_ps_main:
; ASM-NOT: s_endpgm
; ASM: .size _amdgpu_ps_main
define void @lgc.shader.FS() {
  ret void
}
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateColorExport", i32 1}

;--- endless.ll
; A shader that never ends reaches no glue.
; ASM: _amdgpu_ps_main:
; ASM: s_branch
; ASM: .size _amdgpu_ps_main
define void @lgc.shader.FS() {
  br label %loop
loop:
  %p = inttoptr i64 4096 to ptr addrspace(1)
  store volatile i32 1, ptr addrspace(1) %p
  br label %loop
}
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateColorExport", i32 1}

;--- mixed.ll
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %x = load volatile float, ptr addrspace(1) %p
  %i = load volatile i32, ptr addrspace(1) %p
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 1, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %i, i32 1, i32 1, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateColorExport", i32 1}

;--- kill.ll
; Derivatives run in whole quads, but the shader returns with its living invocations only. A wave without any ends by
; itself; that code stands before the end, which all others reach.
; ASM: _amdgpu_ps_main:
; ASM: s_mov_b64 [[LIVE:s\[[0-9]+:[0-9]+\]]], exec
; ASM: s_wqm_b64 exec
; ASM: s_cbranch_scc0 [[DEAD:.LBB0_[0-9]+]]
; ASM: s_and_b64 exec, exec, [[LIVE]]
; ASM: s_branch [[END:.LBB0_[0-9]+]]
; ASM: [[DEAD]]:
; ASM: s_mov_b64 exec, 0
; NULL: exp null off, off, off, off done vm
; MRT0: {{exp|export}} mrt0 off, off, off, off done
; ASM: s_endpgm
; ASM-NEXT: [[END]]:
; PLAIN-NEXT: .Lfunc_end0:
; WAITS: s_waitcnt_depctr 0xffe
; WAITS: .Lfunc_end0:
; ASM-NEXT: .size _amdgpu_ps_main
; ASM-NOT: .spi_shader
; ASM: .kill_enable: true
; ASM-NOT: .spi_shader
define void @lgc.shader.FS() {
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %a = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 0, i32 0, i32 0, <2 x float> %ij)
  %c = fcmp olt float %a, 5.000000e-01
  br i1 %c, label %discard, label %rest
discard:
  call void @lgc.kill__void()
  unreachable
rest:
  %b = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 0, i32 1, i32 0, <2 x float> %ij)
  %d = call float @lgc.derivative__f32_i32_f32(i32 0, float %b)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %d, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)
declare float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>)
declare float @lgc.derivative__f32_i32_f32(i32, float)
declare void @lgc.kill__void()
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.part = !{!2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"separateColorExport", i32 1}

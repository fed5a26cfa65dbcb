; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX12 %s

; The whole back end, HS: input vertices in odd strides, barriers wait for LDS only, outputs and
; factors at the SGPRs s2 and s4.
; CHECK-LABEL: _amdgpu_hs_main:
; GFX10: s_mov_b32 exec_lo, -1
; GFX11: s_mov_b64 exec, -1
; GFX12: s_mov_b64 exec, -1
; CHECK: s_and_saveexec
; GFX10: ds_write
; GFX10: s_waitcnt lgkmcnt(0)
; GFX10-NOT: vscnt
; GFX10: s_barrier
; GFX11: ds_store
; GFX11: s_waitcnt lgkmcnt(0)
; GFX11-NOT: vscnt
; GFX11: s_barrier
; GFX12: ds_store
; GFX12: s_wait_dscnt 0x0
; GFX12-NOT: storecnt
; GFX12: s_barrier_signal -1
; GFX12: s_barrier_wait -1
; CHECK: s_and_saveexec
; GFX10: buffer_store_dwordx4 {{v\[.*\]}}, {{v[0-9]+}}, {{s\[.*\]}}, s2 offen
; GFX11: buffer_store_b128 {{v\[.*\]}}, {{v[0-9]+}}, {{s\[.*\]}}, s2 offen
; GFX12: buffer_store_b128 {{v\[.*\]}}, {{v[0-9]+}}, {{s\[.*\]}}, s2 offen scope:SCOPE_DEV
; GFX10: buffer_store_dwordx4 {{v\[.*\]}}, {{v[0-9]+}}, {{s\[.*\]}}, s4 offen
; GFX11: buffer_store_b128 {{v\[.*\]}}, {{v[0-9]+}}, {{s\[.*\]}}, s4 offen
; GFX12: buffer_store_b128 {{v\[.*\]}}, {{v[0-9]+}}, {{s\[.*\]}}, s4 offen scope:SCOPE_SYS
; CHECK: s_endpgm
; CHECK: .num_patches: 0x40
; CHECK: .lds_size: 0x1800
define void @lgc.shader.VS() {
  %id = call i32 @lgc.hw.value__i32_i32(i32 16)
  %f = sitofp i32 %id to float
  %v = insertelement <4 x float> zeroinitializer, float %f, i32 0
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.TCS() {
  %id = call i32 @lgc.builtin__i32_i32(i32 24)
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 %id)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 512, i32 0, i32 0, i32 %id)
  %q = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 0)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %q, i32 522, i32 0, i32 0, i32 poison)
  %r = extractelement <4 x float> %q, i32 3
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %r, i32 523, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
declare i32 @lgc.builtin__i32_i32(i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__v_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!4}
!4 = !{!"gfx1100"}
!lgc.graphics = !{!0, !1, !2, !3}
!0 = !{!"stages", !"vertex", !"tessControl", !"tessEval"}
!1 = !{!"patchControlPoints", i32 3}
!2 = !{!"tess.domain", !"triangles"}
!3 = !{!"tess.outputVertices", i32 3}

; RUN: lgc-opt -mcpu=gfx1010 -passes=lgc-lower-vertex-fetch,adce,lgc-lower-vertex-exports,adce,lgc-lower-entry-point -glue=vertex-fetch -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,VS %s
; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-vertex-fetch,adce,lgc-lower-vertex-exports,adce,lgc-lower-entry-point -glue=vertex-fetch -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,NGG9,NGG103 %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-vertex-fetch,adce,lgc-lower-vertex-exports,adce,lgc-lower-entry-point -glue=vertex-fetch -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,NGG9,WAIT %s
; RUN: lgc-opt -mcpu=gfx1150 -passes=lgc-lower-vertex-fetch,adce,lgc-lower-vertex-exports,adce,lgc-lower-entry-point -glue=vertex-fetch -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,NGG9,WAIT %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-vertex-fetch,adce,lgc-lower-vertex-exports,adce,lgc-lower-entry-point -glue=vertex-fetch -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX12 %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-vertex-fetch,adce,lgc-lower-vertex-exports,adce,lgc-lower-entry-point -glue=vertex-fetch -filetype=ll %s -o - | FileCheck --check-prefix=IR %s

; What stands in front of the part: all start registers stay, the attributes are put behind, and the
; code falls through. Location 5 has no attribute, and reads as zero.
; IR: define amdgpu_gs { i32, {{.*}} } @_amdgpu_gs_main(i32 inreg %0
; IR: call void @llvm.amdgcn.init.exec(i64 -1)

; VS-LABEL: _amdgpu_vs_main:
; VS-NOT: exec
; NGG9-LABEL: _amdgpu_gs_main:
; NGG9: exec{{(_lo)?}}, -1
; VS: buffer_load_dwordx4 v[4:7], v{{[0-9]+}}, s[{{[0-9:]+}}], 0 idxen offset:8
; NGG9: buffer_load_{{b128|dwordx4}} v[9:12], v{{[0-9]+}}, s[{{[0-9:]+}}], 0 idxen offset:8
; GFX12: buffer_load_b128 v[5:8], v{{[0-9]+}}, s[{{[0-9:]+}}], null idxen offset:8
; GFX12-COUNT-8: ds_nop
; Neither glue nor part sees hazards between them. What stands here has no stores; the wait for them is what the hardware
; (gfx10.1) wants between vector memory and LDS when there is a branch.
; VS: s_waitcnt_vscnt null, 0
; VS: s_waitcnt_depctr 0xffe2
; VS-NOT: {{[[:space:]][sv]_}}
; NGG103-NOT: s_waitcnt_{{vscnt|depctr}}
; WAIT: {{[[:space:]]v_}}
; WAIT: s_waitcnt_depctr 0xffe
; WAIT-NOT: {{[[:space:]]v_}}
; CHECK-NOT: s_endpgm
; CHECK: .fill
; CHECK: .hardware_stages:
; VS: .vgpr_count: 0x
; CHECK: .wavefront_size:
define void @lgc.shader.VS() {
  %color = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  %offset = call <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32 4, i32 1, i32 0, i32 poison)
  %none = call <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32 5, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %color, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v2i32_i32_i32_i32_i32(<2 x i32> %offset, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> %none, i32 1, i32 0, i32 0, i32 poison)
  ret void
}
declare <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v2i32_i32_i32_i32_i32(<2 x i32>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.graphics = !{!0}
!lgc.part = !{!1, !2}
!lgc.vertex.bindings = !{!3, !4}
!lgc.vertex.attributes = !{!5, !6}
!0 = !{!"stages", !"vertex", !"fragment"}
!1 = !{!"relocatable", i1 true}
!2 = !{!"separateVertexFetch", i1 true}
!3 = !{i32 0, i32 16, i32 0, i32 1}
!4 = !{i32 2, i32 12, i32 1, i32 3}
!5 = !{i32 0, i32 0, i32 8, !"RGBA32.float"}
!6 = !{i32 4, i32 2, i32 0, !"RGB32.sint"}

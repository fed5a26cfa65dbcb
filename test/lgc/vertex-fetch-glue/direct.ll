; RUN: lgc-opt -mcpu=gfx1010 -passes=lgc-lower-vertex-fetch,adce,lgc-lower-vertex-exports,adce,lgc-lower-entry-point -glue=vertex-fetch -filetype=obj %s -o - | llvm-objdump-22 -d - | FileCheck --check-prefixes=CHECK,VS %s
; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-vertex-fetch,adce,lgc-lower-vertex-exports,adce,lgc-lower-entry-point -glue=vertex-fetch -filetype=obj %s -o - | llvm-objdump-22 -d - | FileCheck --check-prefixes=CHECK,NGG %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-vertex-fetch,adce,lgc-lower-vertex-exports,adce,lgc-lower-entry-point -glue=vertex-fetch -filetype=obj %s -o - | llvm-objdump-22 -d - | FileCheck --check-prefixes=CHECK,NGG %s
; RUN: lgc-opt -mcpu=gfx1150 -passes=lgc-lower-vertex-fetch,adce,lgc-lower-vertex-exports,adce,lgc-lower-entry-point -glue=vertex-fetch -filetype=obj %s -o - | llvm-objdump-22 -d - | FileCheck --check-prefixes=CHECK,NGG %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-vertex-fetch,adce,lgc-lower-vertex-exports,adce,lgc-lower-entry-point -glue=vertex-fetch -filetype=obj %s -o - | llvm-objdump-22 -d - | FileCheck --check-prefixes=CHECK,GFX12 %s

; Objects of glue are made without LLVM's code generator: the same as basic.ll, in the order of lgc/direct. Loads write
; where the part expects attributes; location 5 has no attribute, and is zero in front of the loads.
; VS: <_amdgpu_vs_main>:
; NGG: <_amdgpu_gs_main>:
; GFX12: <_amdgpu_gs_main>:
; CHECK: s_getpc_b64 s[[[PC:[0-9]+]]:
; CHECK: s_mov_b32 s[[PC]], s{{3|11}}
; NGG: s_mov_b{{32 exec_lo|64 exec}}, -1
; GFX12: s_mov_b64 exec, -1
; CHECK: s_clause 0x1
; CHECK: s_load_{{dwordx4|b128}} s[{{[0-9:]+}}], s[[[PC]]:{{[0-9]+}}],
; CHECK: s_load_{{dwordx4|b128}} s[{{[0-9:]+}}], s[[[PC]]:{{[0-9]+}}], 0x20
; GFX12: s_mov_b32 m0, s9
; GFX12-NEXT: v_add_nc_u32_e32 v3, m0, v3
; NGG: v_add_nc_u32_e32 v5, s9, v5
; VS: v_add_nc_u32_e32 v0, s1, v0
; CHECK: v_mul_hi_u32 v{{[0-9]+}}, v{{[0-9]+}}, 0xaaaaaaab
; NGG: v_mov_b32_e32 v15, 0
; NGG: v_mov_b32_e32 v16, 0
; CHECK: {{s_waitcnt lgkmcnt\(0\)|s_wait_kmcnt 0x0}}
; CHECK: s_clause 0x1
; VS: buffer_load_dwordx4 v[4:7], v0, s[{{[0-9:]+}}], 0 idxen offset:8
; VS: buffer_load_dwordx2 v[8:9], v{{[0-9]+}}, s[{{[0-9:]+}}], 0 idxen offset:4
; NGG: buffer_load_{{b128|dwordx4}} v[9:12], v5, s[{{[0-9:]+}}], 0 idxen offset:8
; NGG: buffer_load_{{b64|dwordx2}} v[13:14], v{{[0-9]+}}, s[{{[0-9:]+}}], 0 idxen offset:4
; GFX12: buffer_load_b128 v[5:8], v3, s[{{[0-9:]+}}], null idxen offset:8
; GFX12: buffer_load_b64 v[9:10], v{{[0-9]+}}, s[{{[0-9:]+}}], null idxen offset:4
; CHECK: {{s_waitcnt vmcnt\(0\)|s_wait_loadcnt 0x0}}
; What the boundary wants: nothing where vector instructions have been waited for by loads, and on gfx12 no SGPR was read.
; VS-NEXT: s_waitcnt_vscnt null, 0x0
; VS-NEXT: s_waitcnt_depctr 0xffe2
; CHECK-NOT: {{[[:space:]][sv]_|ds_nop}}
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

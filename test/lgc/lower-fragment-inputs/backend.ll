; RUN: split-file %s %t
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1010 %t/all.ll -o %t/1010 && pal-verify %t/1010
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1030 %t/all.ll -o %t/1030 && pal-verify %t/1030
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1100 %t/all.ll -o %t/1100 && pal-verify %t/1100
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1150 %t/all.ll -o %t/1150 && pal-verify %t/1150
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1201 %t/all.ll -o %t/1201 && pal-verify %t/1201
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1010 %t/all.ll -o - | FileCheck %t/all.ll --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1100 %t/all.ll -o - | FileCheck %t/all.ll --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1201 %t/all.ll -o - | FileCheck %t/all.ll --check-prefixes=CHECK,GFX12
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1030 %t/bary.ll -o %t/b1030 && pal-verify %t/b1030
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1100 %t/bary.ll -o %t/b1100 && pal-verify %t/b1100
; RUN: lgc-opt -compile -verify-each -filetype=obj -mcpu=gfx1150 %t/bary.ll -o %t/b1150 && pal-verify %t/b1150
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1201 %t/bary.ll -o - | FileCheck %t/bary.ll

;--- all.ll
; All modes of interpolation, flat, half, built-ins.
; CHECK: _amdgpu_ps_main:
; GFX10-DAG: v_interp_p1_f32
; GFX10-DAG: v_interp_p2_f32
; GFX10-DAG: v_interp_p1l{{[lv]}}_f16
; GFX10-DAG: v_interp_p2_f16
; GFX10-DAG: v_interp_mov_f32
; GFX11: lds_param_load
; GFX11: v_interp_p10_f32
; GFX11-DAG: v_interp_p10_f16_f32
; GFX12: ds_param_load
; GFX12: v_interp_p10_f32
; CHECK: {{exp|export}} mrt0 {{.*}} done
; CHECK: .ancillary_ena: true
; CHECK: .linear_center_ena: true
; CHECK: .linear_sample_ena: true
; CHECK: .persp_centroid_ena: true
; CHECK: .persp_pull_model_ena: true
; CHECK: .pos_w_float_ena: true
; CHECK: .sample_coverage_ena: true
define void @lgc.shader.FS() {
  %sample = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 2, i32 1, i32 poison)
  %centroid = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 1, i32 0, i32 poison)
  %a = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 0, i32 0, i32 0, <2 x float> %sample)
  %b = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 1, i32 3, i32 0, <2 x float> %centroid)
  %h = call <2 x half> @lgc.input.interpolate__v2f16_i32_i32_i32_v2f32(i32 2, i32 0, i32 0, <2 x float> %centroid)
  %flat = call <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32 3, i32 0, i32 0, i32 poison)
  %coord = call <4 x float> @lgc.builtin__v4f32_i32(i32 26)
  %point = call <2 x float> @lgc.builtin__v2f32_i32(i32 27)
  %position = call <2 x float> @lgc.builtin__v2f32_i32(i32 30)
  %mask = call i32 @lgc.builtin__i32_i32(i32 31)
  %front = call i1 @lgc.builtin__i1_i32(i32 28)
  %helper = call i1 @lgc.builtin__i1_i32(i32 32)
  %n = extractelement <2 x i32> %flat, i32 0
  %offset = insertelement <2 x float> %position, float %a, i32 0
  %c = fcmp olt float %a, %b
  br i1 %c, label %then, label %end
then:
  %atOffset = call <2 x float> @lgc.barycentric__v2f32_i32_i32_v2f32(i32 3, i32 0, <2 x float> %offset)
  %atSample = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 4, i32 1, i32 %n)
  %d = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 4, i32 0, i32 0, <2 x float> %atOffset)
  %e = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 262149, i32 0, i32 %n, <2 x float> %atSample)
  %de = fadd float %d, %e
  br label %end
end:
  %s = phi float [ %b, %0 ], [ %de, %then ]
  %h0 = extractelement <2 x half> %h, i32 0
  %h1 = extractelement <2 x half> %h, i32 1
  %hs = fadd half %h0, %h1
  %hf = fpext half %hs to float
  %w = extractelement <4 x float> %coord, i32 3
  %z = extractelement <4 x float> %coord, i32 2
  %wz = fmul float %w, %z
  %py = extractelement <2 x float> %point, i32 1
  %maskf = bitcast i32 %mask to float
  %f0 = select i1 %front, float %wz, float %py
  %f1 = select i1 %helper, float %f0, float %maskf
  %v0 = insertelement <4 x float> poison, float %s, i32 0
  %v1 = insertelement <4 x float> %v0, float %hf, i32 1
  %v2 = insertelement <4 x float> %v1, float %f1, i32 2
  %nf = uitofp i32 %n to float
  %v3 = insertelement <4 x float> %v2, float %nf, i32 3
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %v3, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_v2f32(i32, i32, <2 x float>)
declare float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>)
declare <2 x half> @lgc.input.interpolate__v2f16_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>)
declare <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <4 x float> @lgc.builtin__v4f32_i32(i32)
declare <2 x float> @lgc.builtin__v2f32_i32(i32)
declare i32 @lgc.builtin__i32_i32(i32)
declare i1 @lgc.builtin__i1_i32(i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!lgc.color.targets = !{!3}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"dynamicSampleInfo", i32 1}
!3 = !{i32 0, !"RGBA32.float", i32 15, i32 0, i32 0}

;--- bary.ll
; Barycentric coordinates with a topology that the driver says, and the vertices' own values.
; CHECK-DAG: ds_param_load
; CHECK-DAG: quad_perm:[1,1,1,1]
; CHECK-DAG: s_and_b32 {{.*}}, 3
; CHECK: {{exp|export}} mrt0 {{.*}} done
; CHECK: .ps_load_provoking_vtx: true
; CHECK: .rotate_pc_ptr: 0x1
define void @lgc.shader.FS() {
  %coord = call <3 x float> @lgc.builtin__v3f32_i32(i32 33)
  %flat = call <3 x float> @lgc.builtin__v3f32_i32(i32 34)
  %v1 = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 3, i32 0, i32 0, i32 1)
  %x = extractelement <3 x float> %coord, i32 0
  %y = extractelement <3 x float> %flat, i32 1
  %xy = fadd float %x, %y
  %s = fmul float %xy, %v1
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %s, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
declare <3 x float> @lgc.builtin__v3f32_i32(i32)
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!lgc.color.targets = !{!3}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"dynamicTopology", i32 1}
!3 = !{i32 0, !"R32.float", i32 15, i32 0, i32 0}

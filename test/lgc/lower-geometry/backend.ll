; RUN: split-file %s %t
; RUN: cat %t/shaders.ll %t/plain.ll > %t/1.ll
; RUN: cat %t/shaders.ll %t/ngg.ll > %t/2.ll
; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm %t/1.ll -o - | FileCheck --check-prefixes=CHECK,LEGACY %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %t/1.ll -o - | FileCheck --check-prefixes=CHECK,LEGACY %s
; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm %t/2.ll -o - | FileCheck --check-prefixes=CHECK,NGG10 %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %t/2.ll -o - | FileCheck --check-prefixes=CHECK,NGG10 %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm %t/1.ll -o - | FileCheck --check-prefixes=CHECK,NGG11 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm %t/1.ll -o - | FileCheck --check-prefixes=CHECK,NGG11 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %t/1.ll -o - | FileCheck --check-prefixes=CHECK,NGG12 %s

; The whole back end: LDS is counted, barriers stay, nothing is in scratch.
; CHECK-LABEL: _amdgpu_gs_main:
; CHECK: s_mov_b{{32|64}} exec{{(_lo)?}}, -1
; LEGACY: s_barrier
; LEGACY: buffer_store_dword {{.*}} glc slc
; LEGACY: s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)
; LEGACY: s_sendmsg sendmsg(MSG_GS, GS_OP_CUT, 0)
; LEGACY: s_waitcnt_vscnt null, 0x0
; LEGACY: s_sendmsg sendmsg(MSG_GS_DONE, GS_OP_NOP)
; LEGACY-LABEL: _amdgpu_vs_main:
; LEGACY: buffer_load_dword {{.*}} offen glc slc
; LEGACY: exp pos0
; LEGACY: exp param0
; NGG10-COUNT-4: s_barrier
; NGG10: s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
; NGG10: exp prim
; NGG11-COUNT-4: s_barrier
; NGG11: s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
; NGG11: buffer_store_b128
; NGG11: exp pos0 {{.*}} done
; NGG12-COUNT-4: s_barrier_wait -1
; NGG12: s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
; NGG12: buffer_store_b128
; NGG12: export p
; CHECK: .gs:
; CHECK: .lds_size: 0x{{[1-9a-f]}}
; CHECK: .scratch_memory_size: 0

;--- plain.ll
!lgc.graphics = !{!0, !1}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.outputVertices", i32 4}
;--- ngg.ll
!lgc.graphics = !{!0, !1, !2, !3}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.outputVertices", i32 4}
!2 = !{!"nggState.enableGsUse", i32 1}
!3 = !{!"nggState.force", i32 1}
;--- shaders.ll
define void @lgc.shader.VS() {
  %i = call i32 @lgc.builtin__i32_i32(i32 16)
  %f = sitofp i32 %i to float
  %v = insertelement <4 x float> splat (float 1.0), float %f, i32 3
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 512, i32 0, i32 0, i32 poison)
  ret void
}

define void @lgc.shader.GS() {
entry:
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 0)
  %w = extractelement <4 x float> %p, i32 3
  %count = fptoui float %w to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %f = uitofp i32 %i to float
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 0, i32 0, i32 0, i32 0)
  ; of another stream
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 1, i32 0, i32 0, i32 1)
  call void @lgc.emit.vertex__void_i32(i32 0)
  call void @lgc.emit.vertex__void_i32(i32 1)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %loop, label %done
done:
  call void @lgc.end.primitive__void_i32(i32 0)
  ret void
}

declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare i32 @lgc.hw.value__i32_i32(i32) memory(none)
declare i32 @lgc.builtin__i32_i32(i32) memory(none)
declare void @lgc.emit.vertex__void_i32(i32)
declare void @lgc.end.primitive__void_i32(i32)


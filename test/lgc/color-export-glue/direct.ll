; RUN: lgc-opt -mcpu=gfx1010 -passes=lgc-lower-fragment-outputs -glue=color-export -filetype=obj %s -o - | llvm-objdump-22 -d - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-fragment-outputs -glue=color-export -filetype=obj %s -o - | llvm-objdump-22 -d - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-fragment-outputs -glue=color-export -filetype=obj %s -o - | llvm-objdump-22 -d - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1150 -passes=lgc-lower-fragment-outputs -glue=color-export -filetype=obj %s -o - | llvm-objdump-22 -d - | FileCheck --check-prefixes=CHECK,PRIORITY,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-fragment-outputs -glue=color-export -filetype=obj %s -o - | llvm-objdump-22 -d - | FileCheck --check-prefixes=CHECK,GFX12 %s

; Exports without LLVM's code generator.
; CHECK: <_amdgpu_ps_main>:
; PRIORITY-NEXT: s_setprio 2
; CHECK-NEXT: v_cvt_pk{{_?}}rtz_f16_f32_e32 v0, v0, v1
; CHECK-NEXT: v_cvt_pk{{_?}}rtz_f16_f32_e32 v1, v2, v3
; CHECK-NEXT: v_perm_b32 v2, v7, v6, 0x5040100
; GFX10-NEXT: exp mrtz v8, off, off, off
; GFX10-NEXT: exp mrt0 v0, v0, v1, v1 compr
; GFX10-NEXT: exp mrt1 v2, v2, off, off done compr vm
; GFX11-NEXT: exp mrtz v8, off, off, off
; GFX11-NEXT: exp mrt0 v0, v1, off, off
; GFX11-NEXT: exp mrt1 v2, off, off, off done
; GFX12-NEXT: export mrtz v8, off, off, off
; GFX12-NEXT: export mrt0 v0, v1, off, off
; GFX12-NEXT: export mrt1 v2, off, off, off done
; PRIORITY-NEXT: s_setprio 0
; PRIORITY-NEXT: s_nop 0
; PRIORITY-NEXT: s_nop 0
; CHECK-NEXT: s_endpgm
; rgba of location 0 to RGBA8, location 1 has no target, half-wide r and g of location 2 to RG16F, depth.
; The part has waited where the hardware does not (lgc/machine/PartBoundaryWaits.h).
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

; RUN: sed 's/@IN@/4/; s/@OUT@/4/; s/@BODY@/once/' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefixes=CHECK,SAME %s
; RUN: sed 's/@IN@/3/; s/@OUT@/4/; s/@BODY@/once/' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefixes=CHECK,OUTPUTS %s
; RUN: sed 's/@IN@/4/; s/@OUT@/3/; s/@BODY@/once/' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefixes=CHECK,GROUP %s
; RUN: sed 's/@IN@/4/; s/@OUT@/3/; s/@BODY@/sometimes/' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefixes=CHECK,SINGLE %s
; RUN: sed 's/@IN@/4/; s/@OUT@/4/; s/@BODY@/sometimes/' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefixes=CHECK,SAME %s

; Patches of 4 control points never straddle waves of 64 lanes: no wave waits for another. With as
; many input vertices the vertex half needs none either.
; CHECK-LABEL: define void @lgc.hw.HS()
; CHECK: vertex.end:
; SAME: fence syncscope("wavefront") release
; SAME: call void @llvm.amdgcn.wave.barrier()
; SAME-NOT: s.barrier
; OUTPUTS: call void @llvm.amdgcn.s.barrier()
; OUTPUTS: control:
; OUTPUTS-NOT: s.barrier
; OUTPUTS: call void @llvm.amdgcn.wave.barrier()
; OUTPUTS-NOT: s.barrier
; GROUP-COUNT-3: call void @llvm.amdgcn.s.barrier()
; SINGLE-COUNT-3: call void @llvm.amdgcn.s.barrier()
; CHECK: ret void

; A barrier that invocations pass only under a condition: the patches of a group need not agree on
; it, so there is one.
; SAME: !{!".graphics_registers", !".vgt_ls_hs_config", !".num_patches", i64 64}
; OUTPUTS: !{!".graphics_registers", !".vgt_ls_hs_config", !".num_patches", i64 64}
; GROUP: !{!".graphics_registers", !".vgt_ls_hs_config", !".num_patches", i64 64}
; SINGLE: !{!".graphics_registers", !".vgt_ls_hs_config", !".num_patches", i64 1}
define void @lgc.shader.VS() {
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.TCS() {
start:
  %id = call i32 @lgc.builtin__i32_i32(i32 24)
  %prim = call i32 @lgc.builtin__i32_i32(i32 25)
  %c = icmp ugt i32 %prim, 5
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 %id)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 512, i32 0, i32 0, i32 %id)
  br label %@BODY@
once:
  call void @lgc.control.barrier__v_i32(i32 1)
  br label %end
sometimes:
  br i1 %c, label %once, label %end
end:
  %q = call <4 x float> @lgc.output.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 0)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %q, i32 522, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <4 x float> @lgc.output.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.control.barrier__v_i32(i32)
!lgc.target = !{!4}
!4 = !{!"gfx1100"}
!lgc.graphics = !{!0, !1, !2, !3}
!0 = !{!"stages", !"vertex", !"tessControl", !"tessEval"}
!1 = !{!"patchControlPoints", i32 @IN@}
!2 = !{!"tess.domain", !"triangles"}
!3 = !{!"tess.outputVertices", i32 @OUT@}

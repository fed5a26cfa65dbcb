; A component that the shader leaves undefined is none, whatever vectors it has come through: it takes no register between a
; part and its glue, and beside a written one it is exported as zero.
; RUN: lgc-opt -passes='lgc-lower-fragment-outputs,function(instsimplify)' -verify-each -mcpu=gfx1030 %s -o - | FileCheck %s
; RUN: sed -e 's/^;part //' %s | lgc-opt -passes=lgc-lower-fragment-outputs -verify-each -mcpu=gfx1030 - -o - | FileCheck %s --check-prefix=PART
; RUN: sed -e 's/^;part //' %s | lgc-opt -passes=lgc-lower-fragment-outputs -glue=color-export -verify-each -filetype=asm -mcpu=gfx1030 - -o - | FileCheck %s --check-prefix=GLUE

; CHECK: call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %x, float %y)
; CHECK: call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %x, float 0.000000e+00)
; Of a target without it the component is not converted.
; CHECK: call <2 x i16> @llvm.amdgcn.cvt.pknorm.i16(float %x, float poison)
; PART: define { float, float, float, float, float, float } @lgc.shader.FS()
; GLUE: v_cvt_pkrtz_f16_f32_e64 v{{[0-9]+}}, v2, 0
; GLUE-NOT: v6
; GLUE: s_endpgm
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %x = load volatile float, ptr addrspace(1) %p
  %y = load volatile float, ptr addrspace(1) %p
  %v0 = insertelement <3 x float> poison, float %x, i32 0
  %v1 = insertelement <3 x float> %v0, float %y, i32 1
  %v2 = insertelement <3 x float> %v1, float %x, i32 2
  %c = shufflevector <3 x float> %v2, <3 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %c, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %c, i32 1, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.color.targets = !{!2, !3}
;part !lgc.part = !{!4}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{i32 0, !"RGBA8.unorm", i32 15, i32 0, i32 0}
!3 = !{i32 1, !"RGBA16.snorm", i32 7, i32 0, i32 0}
!4 = !{!"separateColorExport", i32 1}

; RUN: sed '/^define void @lgc.shader.[ET]/,/^}/d; /^define void @lgc.shader.TCS/,/^}/d' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefix=VERTEX %s
; RUN: sed '/^define void @lgc.shader.VS/,/^}/d; /^define void @lgc.shader.TES/,/^}/d' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefix=CONTROL %s
; RUN: sed '/^define void @lgc.shader.VS/,/^}/d; /^define void @lgc.shader.TCS/,/^}/d' %s | lgc-opt -passes=lgc-lower-tessellation -verify-each - -o - | FileCheck --check-prefix=EVALUATION %s

; Parts of a pipeline: what is stored is kept when nobody is there to read it.
; VERTEX-LABEL: define void @lgc.hw.HS()
; VERTEX: vertex:
; VERTEX: store i32 1065353216, ptr addrspace(3)
; VERTEX-NOT: control:

; CONTROL-LABEL: define void @lgc.hw.HS()
; CONTROL-NOT: vertex:
; CONTROL: control:
; CONTROL: call void @llvm.amdgcn.raw.ptr.buffer.store.i32
; All six factors: the domain is not known.
; CONTROL: factors:
; CONTROL: mul nuw i32 {{%.*}}, 24

; EVALUATION-NOT: @lgc.hw.HS
; EVALUATION-LABEL: define void @lgc.shader.TES()
; EVALUATION: call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32
; EVALUATION-NOT: vgt_tf_param
define void @lgc.shader.VS() {
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float 1.0, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.TCS() {
  %x = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 0)
  %id = call i32 @lgc.builtin__i32_i32(i32 24)
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %x, i32 0, i32 0, i32 0, i32 %id)
  ret void
}
define void @lgc.shader.TES() {
  %x = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 0)
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %x, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__v_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!4}
!4 = !{!"gfx1030"}
!lgc.graphics = !{!0, !1}
!0 = !{!"stages", !"vertex", !"tessControl", !"tessEval"}
!1 = !{!"patchControlPoints", i32 3}

; RUN: sed 's/@STAGES@/!"vertex", !"tessEval"/; s/@IN@/3/; s/@OUT@/3/; s/@SLOT@/0/' %s | not lgc-opt -passes=lgc-lower-tessellation - -o /dev/null 2>&1 | FileCheck --check-prefix=CONTROL %s
; RUN: sed 's/@STAGES@/!"vertex", !"tessControl"/; s/@IN@/3/; s/@OUT@/3/; s/@SLOT@/0/' %s | not lgc-opt -passes=lgc-lower-tessellation - -o /dev/null 2>&1 | FileCheck --check-prefix=EVALUATION %s
; RUN: sed 's/@STAGES@/!"vertex", !"tessControl", !"tessEval"/; s/@IN@/0/; s/@OUT@/3/; s/@SLOT@/0/' %s | not lgc-opt -passes=lgc-lower-tessellation - -o /dev/null 2>&1 | FileCheck --check-prefix=IN %s
; RUN: sed 's/@STAGES@/!"vertex", !"tessControl", !"tessEval"/; s/@IN@/32/; s/@OUT@/33/; s/@SLOT@/0/' %s | not lgc-opt -passes=lgc-lower-tessellation - -o /dev/null 2>&1 | FileCheck --check-prefix=OUT %s
; RUN: sed 's/@STAGES@/!"vertex", !"tessControl", !"tessEval"/; s/@IN@/32/; s/@OUT@/32/; s/@SLOT@/8323072/' %s | not lgc-opt -passes=lgc-lower-tessellation - -o /dev/null 2>&1 | FileCheck --check-prefix=LARGE %s
; RUN: sed 's/@STAGES@/!"vertex", !"tessControl", !"tessEval"/; s/@IN@/3/; s/@OUT@/3/; s/@SLOT@/0/; s/"tess.domain", !"quads"/"switchWinding", i32 1/' %s | not lgc-opt -passes=lgc-lower-tessellation - -o /dev/null 2>&1 | FileCheck --check-prefix=DOMAIN %s

; CONTROL: invalid input: pipeline has a tessellation evaluation shader, but no tessellation control shader
; EVALUATION: invalid input: pipeline has a tessellation control shader, but no tessellation evaluation shader
; IN: invalid input: patchControlPoints is 0, not 1 to 32
; OUT: invalid input: tessellation shaders declare 33 output vertices, not 1 to 32
; LARGE: limit exceeded: outputs of a patch take 65536 bytes of the off-chip buffer, which has 32768
; DOMAIN: invalid input: tessellation shaders declare no Triangles, Quads or Isolines
define void @lgc.shader.TCS() {
  ret void
}
define void @lgc.shader.TES() {
  %i = call i32 @lgc.builtin__i32_i32(i32 25)
  %x = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 @SLOT@, i32 0, i32 %i, i32 0)
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %x, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__v_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!4}
!4 = !{!"gfx1030"}
!lgc.graphics = !{!0, !1, !2, !3}
!0 = !{!"stages", @STAGES@}
!1 = !{!"patchControlPoints", i32 @IN@}
!2 = !{!"tess.domain", !"quads"}
!3 = !{!"tess.outputVertices", i32 @OUT@}

; A demand counts where the other half of a merged stage has none; two that differ are an error.
; RUN: split-file %s %t
; RUN: cat %t/state.ll %t/flush.ll > %t/1.ll
; RUN: lgc-opt -passes=lgc-lower-attributes -mcpu=gfx1100 %t/1.ll -o - | FileCheck --check-prefix=FLUSH %s
; RUN: cat %t/state.ll %t/keep.ll > %t/2.ll
; RUN: lgc-opt -passes=lgc-lower-attributes -mcpu=gfx1100 %t/2.ll -o - | FileCheck --check-prefix=KEEP %s
; RUN: cat %t/state.ll %t/both.ll > %t/3.ll
; RUN: not lgc-opt -passes=lgc-lower-attributes -mcpu=gfx1100 %t/3.ll -o /dev/null 2>&1 | FileCheck --check-prefix=ERROR %s
; fp16 and fp64 share a mode.
; RUN: cat %t/state.ll %t/shared.ll > %t/4.ll
; RUN: not lgc-opt -passes=lgc-lower-attributes -mcpu=gfx1100 %t/4.ll -o /dev/null 2>&1 | FileCheck --check-prefix=ERROR %s

; FLUSH: "denormal-fp-math"="preserve-sign,preserve-sign" "denormal-fp-math-f32"="preserve-sign,preserve-sign"
; KEEP: "denormal-fp-math"="ieee,ieee" "denormal-fp-math-f32"="ieee,ieee"
; ERROR: lgc-opt: unsupported: vertex and geometry shader run in the same waves and have different denormal modes

;--- state.ll
define void @lgc.shader.VS() { ret void }
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.shader.vertex = !{!2, !3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"geometry", !"fragment"}
;--- flush.ll
!2 = !{!"fp16", !"flushDenorms", !"demandsDenorms"}
!3 = !{!"fp32", !"flushDenorms", !"demandsDenorms"}
;--- keep.ll
!2 = !{!"fp16", !"demandsDenorms"}
!3 = !{!"fp32", !"demandsDenorms"}
;--- both.ll
!2 = !{!"fp32", !"flushDenorms", !"demandsDenorms"}
!3 = !{!"fp16"}
!lgc.shader.geometry = !{!4}
!4 = !{!"fp32", !"demandsDenorms"}
;--- shared.ll
!2 = !{!"fp16", !"flushDenorms", !"demandsDenorms"}
!3 = !{!"fp64"}
!lgc.shader.geometry = !{!4}
!4 = !{!"fp64", !"demandsDenorms"}

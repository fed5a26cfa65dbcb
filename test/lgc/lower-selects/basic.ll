; RUN: lgc-opt -passes=lgc-lower-selects -verify-each %s -o - | FileCheck %s

; CHECK-LABEL: @different(
; CHECK: [[I:%.*]] = bitcast float %y to i32
; CHECK: [[S:%.*]] = select i1 %c, i32 [[I]], i32 1075838976
; CHECK: bitcast i32 [[S]] to float
define float @different(float %x, float %y) {
  %c = fcmp one float %x, 2.5
  %r = select i1 %c, float %y, float 2.5
  ret float %r
}

; CHECK-LABEL: @less_or_greater(
; CHECK: select i1 %c, i64
define double @less_or_greater(double %x, double %y) {
  %less = fcmp olt double %x, 2.5
  %greater = fcmp ogt double %x, 2.5
  %c = or i1 %less, %greater
  %r = select i1 %c, double %y, double 2.5
  ret double %r
}

; CHECK-LABEL: @components(
; CHECK: select <2 x i1> %c, <2 x i16>
define <2 x half> @components(<2 x half> %x, <2 x half> %y) {
  %c = fcmp ueq <2 x half> %x, <half 2.5, half 3.5>
  %r = select <2 x i1> %c, <2 x half> <half 2.0, half 3.5>, <2 x half> %y
  ret <2 x half> %r
}

; NaN takes the other arm, or what it takes is another number.
; CHECK-LABEL: @others(
; CHECK-NOT: select i1 {{.*}} i32
define float @others(float %x, float %y) {
  %c = fcmp une float %x, 2.5
  %d = fcmp one float %x, 2.5
  %a = select i1 %c, float %y, float 2.5
  %b = select i1 %d, float %y, float 3.5
  %e = select i1 %d, float 2.5, float %y
  %s = fadd float %a, %b
  %t = fadd float %s, %e
  ret float %t
}

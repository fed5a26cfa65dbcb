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

; Code generation would move the addition into a selection of numbers by two bits.
; CHECK-LABEL: @cast(
; CHECK: [[S:%.*]] = select <2 x i1> %c, <2 x i32>
; CHECK: [[F:%.*]] = freeze <2 x i32> [[S]]
; CHECK: bitcast <2 x i32> [[F]] to i64
define i64 @cast(<2 x i1> %c) {
  %s = select <2 x i1> %c, <2 x i32> <i32 3, i32 4>, <2 x i32> <i32 1, i32 2>
  %b = bitcast <2 x i32> %s to i64
  %r = add i64 %b, 5
  ret i64 %r
}

; CHECK-LABEL: @fitting_casts(
; CHECK-NOT: freeze
; CHECK: ret
define i64 @fitting_casts(<2 x i1> %c, i1 %d) {
  %s = select <2 x i1> %c, <2 x float> <float 3.0, float 4.0>, <2 x float> <float 1.0, float 2.0>
  %b = bitcast <2 x float> %s to <2 x i32>
  %r = add <2 x i32> %b, splat (i32 5)
  %t = bitcast <2 x i32> %r to i64
  %u = select i1 %d, <2 x i32> <i32 3, i32 4>, <2 x i32> <i32 1, i32 2>
  %v = bitcast <2 x i32> %u to i64
  %w = add i64 %v, %t
  ret i64 %w
}

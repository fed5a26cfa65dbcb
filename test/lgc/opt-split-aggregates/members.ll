; RUN: lgc-opt -passes=lgc-opt-split-aggregates %s -o - | FileCheck %s

; A phi of structures becomes phis of the members that are read; insertions go.
; CHECK-LABEL: define float @joined(
; CHECK: join:
; CHECK-NOT: phi { float, [2 x i32] }
; CHECK: %[[F:.*]] = phi float [ %x, %left ], [ %y, %right ]
; CHECK: %[[I:.*]] = phi i32 [ 2, %left ], [ 7, %right ]
; CHECK-NOT: insertvalue
; CHECK-NOT: extractvalue
; CHECK: %n = sitofp i32 %[[I]] to float
; CHECK: %sum = fadd float %[[F]], %n
define float @joined(i1 %c, float %x, float %y) {
entry:
  br i1 %c, label %left, label %right
left:
  %a0 = insertvalue { float, [2 x i32] } poison, float %x, 0
  %inner0 = insertvalue [2 x i32] poison, i32 1, 0
  %inner1 = insertvalue [2 x i32] %inner0, i32 2, 1
  %a1 = insertvalue { float, [2 x i32] } %a0, [2 x i32] %inner1, 1
  br label %join
right:
  %b0 = insertvalue { float, [2 x i32] } poison, float %y, 0
  %b1 = insertvalue { float, [2 x i32] } %b0, i32 6, 1, 0
  %b2 = insertvalue { float, [2 x i32] } %b1, i32 7, 1, 1
  br label %join
join:
  %s = phi { float, [2 x i32] } [ %a1, %left ], [ %b2, %right ]
  %f = extractvalue { float, [2 x i32] } %s, 0
  %i = extractvalue { float, [2 x i32] } %s, 1, 1
  %n = sitofp i32 %i to float
  %sum = fadd float %f, %n
  ret float %sum
}

; What a loop hands to its next round, in another order.
; CHECK-LABEL: define i32 @loop(
; CHECK: %[[A:.*]] = phi i32 [ 1, %entry ], [ %[[B:.*]], %body ]
; CHECK: %[[B]] = phi i32 [ 2, %entry ], [ %[[A]], %body ]
; CHECK-NOT: { i32, i32 }
; CHECK: ret i32 %[[A]]
define i32 @loop(i32 %count) {
entry:
  br label %body
body:
  %s = phi { i32, i32 } [ { i32 1, i32 2 }, %entry ], [ %t1, %body ]
  %k = phi i32 [ 0, %entry ], [ %k1, %body ]
  %a = extractvalue { i32, i32 } %s, 0
  %b = extractvalue { i32, i32 } %s, 1
  %t0 = insertvalue { i32, i32 } poison, i32 %b, 0
  %t1 = insertvalue { i32, i32 } %t0, i32 %a, 1
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %count
  br i1 %more, label %body, label %exit
exit:
  %r = extractvalue { i32, i32 } %s, 0
  ret i32 %r
}

; Selections, and an array with a result of a call inside.
; CHECK-LABEL: define float @chosen(
; CHECK: %[[CALL:.*]] = call { float, i32 } @llvm.frexp
; CHECK: %[[M:.*]] = extractvalue { float, i32 } %[[CALL]], 0
; CHECK: %[[S:.*]] = select i1 %c, float %[[M]], float %x
; CHECK-NOT: insertvalue
; CHECK: ret float %[[S]]
define float @chosen(i1 %c, float %x) {
  %call = call { float, i32 } @llvm.frexp.f32.i32(float %x)
  %other = insertvalue { float, i32 } poison, float %x, 0
  %s = select i1 %c, { float, i32 } %call, { float, i32 } %other
  %f = extractvalue { float, i32 } %s, 0
  ret float %f
}
declare { float, i32 } @llvm.frexp.f32.i32(float)

; Code that is never reached may say anything.
; CHECK-LABEL: define i32 @dead(
; CHECK: ret i32 %x
define i32 @dead(i32 %x) {
entry:
  br label %end
never:
  %a = insertvalue { i32, i32 } %a, i32 %x, 0
  %e = extractvalue { i32, i32 } %a, 1
  br label %end
end:
  %s = phi { i32, i32 } [ { i32 1, i32 2 }, %entry ], [ %a, %never ]
  %k = extractvalue { i32, i32 } %s, 1
  ret i32 %x
}

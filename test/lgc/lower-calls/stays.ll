; RUN: lgc-opt -passes=lgc-lower-calls %s -o - | FileCheck %s
; RUN: lgc-opt -passes=lgc-lower-calls,always-inline,globaldce %s -o - | FileCheck --check-prefix=INLINED %s

; Inlined, each of the two chains would be 50,000 instructions. Where the front end says that functions
; may stay (lgc-callable), those that have more than 200 do and are called by the convention of functions.
; Callers of what stays are small again. Nothing stays that uses variables of the shader or has
; operations, itself or in what is inlined to it.
; CHECK: define void @lgc.shader.CS()
; CHECK-DAG: define internal i32 @f11(i32 %x) [[INLINE:#[0-9]+]]
; CHECK-DAG: define internal amdgpu_gfx i32 @f3(i32 %x) [[STAYS:#[0-9]+]]
; CHECK-DAG: define internal i32 @f2(i32 %x) [[INLINE]]
; CHECK-DAG: define internal i32 @g11(i32 %x) [[INLINE]]
; CHECK-DAG: define internal i32 @g4(i32 %x) [[INLINE]]
; CHECK-DAG: call amdgpu_gfx i32 @f3(i32 %x)
; CHECK-DAG: attributes [[STAYS]] = { noinline "lgc-callable" }
; CHECK-DAG: attributes [[INLINE]] = { alwaysinline "lgc-callable" }
; INLINED-NOT: @{{[fg]}}11
; INLINED: call amdgpu_gfx i32 @f10(
; INLINED: define internal amdgpu_gfx i32 @f10(
; INLINED: call amdgpu_gfx i32 @f3(
; INLINED: define internal amdgpu_gfx i32 @f3(
; INLINED-NOT: define

@local = internal addrspace(3) global i32 undef

define void @lgc.shader.CS() {
  %f = call i32 @f11(i32 1)
  %g = call i32 @g11(i32 %f)
  store volatile i32 %g, ptr addrspace(1) null
  ret void
}
define internal i32 @f0(i32 %x) "lgc-callable" {
  %a0 = add i32 %x, %x
  %a1 = add i32 %a0, %x
  %a2 = add i32 %a1, %x
  %a3 = add i32 %a2, %x
  %a4 = add i32 %a3, %x
  %a5 = add i32 %a4, %x
  %a6 = add i32 %a5, %x
  %a7 = add i32 %a6, %x
  %a8 = add i32 %a7, %x
  %a9 = add i32 %a8, %x
  %a10 = add i32 %a9, %x
  %a11 = add i32 %a10, %x
  %a12 = add i32 %a11, %x
  %a13 = add i32 %a12, %x
  %a14 = add i32 %a13, %x
  %a15 = add i32 %a14, %x
  %a16 = add i32 %a15, %x
  %a17 = add i32 %a16, %x
  %a18 = add i32 %a17, %x
  %a19 = add i32 %a18, %x
  %a20 = add i32 %a19, %x
  %a21 = add i32 %a20, %x
  %a22 = add i32 %a21, %x
  %a23 = add i32 %a22, %x
  ret i32 %a23
}
define internal i32 @f1(i32 %x) "lgc-callable" {
  %a = call i32 @f0(i32 %x)
  %b = call i32 @f0(i32 %a)
  ret i32 %b
}
define internal i32 @f2(i32 %x) "lgc-callable" {
  %a = call i32 @f1(i32 %x)
  %b = call i32 @f1(i32 %a)
  ret i32 %b
}
define internal i32 @f3(i32 %x) "lgc-callable" {
  %a = call i32 @f2(i32 %x)
  %b = call i32 @f2(i32 %a)
  ret i32 %b
}
define internal i32 @f4(i32 %x) "lgc-callable" {
  %a = call i32 @f3(i32 %x)
  %b = call i32 @f3(i32 %a)
  ret i32 %b
}
define internal i32 @f5(i32 %x) "lgc-callable" {
  %a = call i32 @f4(i32 %x)
  %b = call i32 @f4(i32 %a)
  ret i32 %b
}
define internal i32 @f6(i32 %x) "lgc-callable" {
  %a = call i32 @f5(i32 %x)
  %b = call i32 @f5(i32 %a)
  ret i32 %b
}
define internal i32 @f7(i32 %x) "lgc-callable" {
  %a = call i32 @f6(i32 %x)
  %b = call i32 @f6(i32 %a)
  ret i32 %b
}
define internal i32 @f8(i32 %x) "lgc-callable" {
  %a = call i32 @f7(i32 %x)
  %b = call i32 @f7(i32 %a)
  ret i32 %b
}
define internal i32 @f9(i32 %x) "lgc-callable" {
  %a = call i32 @f8(i32 %x)
  %b = call i32 @f8(i32 %a)
  ret i32 %b
}
define internal i32 @f10(i32 %x) "lgc-callable" {
  %a = call i32 @f9(i32 %x)
  %b = call i32 @f9(i32 %a)
  ret i32 %b
}
define internal i32 @f11(i32 %x) "lgc-callable" {
  %a = call i32 @f10(i32 %x)
  %b = call i32 @f10(i32 %a)
  ret i32 %b
}
define internal i32 @g0(i32 %x) "lgc-callable" {
  store volatile i32 %x, ptr addrspace(3) @local
  %a0 = add i32 %x, %x
  %a1 = add i32 %a0, %x
  %a2 = add i32 %a1, %x
  %a3 = add i32 %a2, %x
  %a4 = add i32 %a3, %x
  %a5 = add i32 %a4, %x
  %a6 = add i32 %a5, %x
  %a7 = add i32 %a6, %x
  %a8 = add i32 %a7, %x
  %a9 = add i32 %a8, %x
  %a10 = add i32 %a9, %x
  %a11 = add i32 %a10, %x
  %a12 = add i32 %a11, %x
  %a13 = add i32 %a12, %x
  %a14 = add i32 %a13, %x
  %a15 = add i32 %a14, %x
  %a16 = add i32 %a15, %x
  %a17 = add i32 %a16, %x
  %a18 = add i32 %a17, %x
  %a19 = add i32 %a18, %x
  %a20 = add i32 %a19, %x
  %a21 = add i32 %a20, %x
  %a22 = add i32 %a21, %x
  %a23 = add i32 %a22, %x
  ret i32 %a23
}
define internal i32 @g1(i32 %x) "lgc-callable" {
  %a = call i32 @g0(i32 %x)
  %b = call i32 @g0(i32 %a)
  ret i32 %b
}
define internal i32 @g2(i32 %x) "lgc-callable" {
  %a = call i32 @g1(i32 %x)
  %b = call i32 @g1(i32 %a)
  ret i32 %b
}
define internal i32 @g3(i32 %x) "lgc-callable" {
  %a = call i32 @g2(i32 %x)
  %b = call i32 @g2(i32 %a)
  ret i32 %b
}
define internal i32 @g4(i32 %x) "lgc-callable" {
  %a = call i32 @g3(i32 %x)
  %b = call i32 @g3(i32 %a)
  ret i32 %b
}
define internal i32 @g5(i32 %x) "lgc-callable" {
  %a = call i32 @g4(i32 %x)
  %b = call i32 @g4(i32 %a)
  ret i32 %b
}
define internal i32 @g6(i32 %x) "lgc-callable" {
  %a = call i32 @g5(i32 %x)
  %b = call i32 @g5(i32 %a)
  ret i32 %b
}
define internal i32 @g7(i32 %x) "lgc-callable" {
  %a = call i32 @g6(i32 %x)
  %b = call i32 @g6(i32 %a)
  ret i32 %b
}
define internal i32 @g8(i32 %x) "lgc-callable" {
  %a = call i32 @g7(i32 %x)
  %b = call i32 @g7(i32 %a)
  ret i32 %b
}
define internal i32 @g9(i32 %x) "lgc-callable" {
  %a = call i32 @g8(i32 %x)
  %b = call i32 @g8(i32 %a)
  ret i32 %b
}
define internal i32 @g10(i32 %x) "lgc-callable" {
  %a = call i32 @g9(i32 %x)
  %b = call i32 @g9(i32 %a)
  ret i32 %b
}
define internal i32 @g11(i32 %x) "lgc-callable" {
  %a = call i32 @g10(i32 %x)
  %b = call i32 @g10(i32 %a)
  ret i32 %b
}

; RUN: lgc-opt -passes=lgc-lower-calls %s -o - | FileCheck %s
; RUN: lgc-opt -passes=lgc-lower-calls,always-inline,globaldce %s -o - | FileCheck --check-prefix=INLINED %s

; Everything that the entry function reaches is to be inlined, whatever the front end asked for.
; CHECK: define void @lgc.shader.CS() {
; CHECK: define internal i32 @f(i32 %x) [[INLINE:#[0-9]+]]
; CHECK: define internal i32 @g(i32 %x) [[INLINE]]
; CHECK: attributes [[INLINE]] = { alwaysinline }
; INLINED: define
; INLINED-NOT: define
define void @lgc.shader.CS() {
  %v = call i32 @f(i32 1)
  store volatile i32 %v, ptr addrspace(1) null
  ret void
}
define internal i32 @f(i32 %x) noinline {
  %a = call i32 @g(i32 %x)
  %b = call i32 @g(i32 %a)
  ret i32 %b
}
define i32 @g(i32 %x) noinline optnone {
  %y = mul i32 %x, %x
  ret i32 %y
}

; RUN: lgc-opt -passes=lgc-lower-ray-queries %s -o - | FileCheck %s
; An element of an array has its stack behind it.
; CHECK: %q = alloca [2 x [546 x i32]]
; CHECK-NOT: alloca [354 x i32]
; CHECK: %at = getelementptr [546 x i32], ptr addrspace(5) %q, i32 %i
; CHECK: getelementptr inbounds i32, ptr addrspace(5) %at, i32 96
define i1 @lgc.shader.CS(i32 %i) {
  %q = alloca [2 x [546 x i32]], align 4, addrspace(5)
  %at = getelementptr [546 x i32], ptr addrspace(5) %q, i32 %i
  %more = call i1 @lgc.ray.query.proceed__i1_p5(ptr addrspace(5) %at)
  ret i1 %more
}
declare i1 @lgc.ray.query.proceed__i1_p5(ptr addrspace(5))
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

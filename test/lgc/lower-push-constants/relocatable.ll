; RUN: lgc-opt -passes=lgc-lower-push-constants -verify-each %s -o - | FileCheck %s

; In a relocatable part, constant offsets are user data as ever (linking renumbers registers); others
; read the spill table where linking says that the node is.

; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: call i32 @lgc.user.data__i32_i32(i32 12)
; CHECK: [[SPILL:%.*]] = call ptr addrspace(4) @lgc.spill.table__p4()
; CHECK: [[R:%.*]] = call range(i32 0, -2147483648) i32 @llvm.amdgcn.reloc.constant(metadata [[NAME:![0-9]+]])
; CHECK: [[W:%.*]] = zext i32 [[R]] to i64
; CHECK: [[BASE:%.*]] = getelementptr inbounds i8, ptr addrspace(4) [[SPILL]], i64 [[W]]
; CHECK: getelementptr i32, ptr addrspace(4) [[BASE]], i32 %i
; CHECK: [[NAME]] = !{!"kiln.root.10"}
define void @lgc.shader.CS() {
  %out = alloca [64 x i32], addrspace(5)
  %i = call i32 @lgc.builtin__i32_i32(i32 3)
  %p = call ptr addrspace(4) @lgc.push.const__p4()
  %pa = getelementptr i8, ptr addrspace(4) %p, i64 8
  %a = load float, ptr addrspace(4) %pa
  store volatile float %a, ptr addrspace(5) %out
  %pd = getelementptr i32, ptr addrspace(4) %p, i32 %i
  %d = load i32, ptr addrspace(4) %pd
  store volatile i32 %d, ptr addrspace(5) %out
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32) memory(none)
declare ptr addrspace(4) @lgc.push.const__p4() memory(none)

!lgc.target = !{!0}
!lgc.part = !{!2}
!lgc.user.data = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"PushConst", i32 4, i32 10, i32 0, i32 0, i32 0}
!2 = !{!"relocatable", i32 1}

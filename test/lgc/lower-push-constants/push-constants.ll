; RUN: lgc-opt -passes=lgc-lower-push-constants -verify-each %s -o - | FileCheck %s

; Constant offsets become user data, outside the node zero; other offsets read the spill table.

; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: [[A:%.*]] = call i32 @lgc.user.data__i32_i32(i32 12)
; CHECK: [[SPILL:%.*]] = call ptr addrspace(4) @lgc.spill.table__p4()
; CHECK: [[BASE:%.*]] = getelementptr inbounds i8, ptr addrspace(4) [[SPILL]], i64 40
define void @lgc.shader.CS() {
  %out = alloca [64 x i32], addrspace(5)
  %i = call i32 @lgc.builtin__i32_i32(i32 3)
  %p = call ptr addrspace(4) @lgc.push.const__p4()
  %pa = getelementptr i8, ptr addrspace(4) %p, i64 8
  %a = load float, ptr addrspace(4) %pa
  ; CHECK: [[AF:%.*]] = bitcast i32 [[A]] to float
  ; CHECK: store volatile float [[AF]]
  store volatile float %a, ptr addrspace(5) %out
  %v = load <3 x i32>, ptr addrspace(4) %p
  ; CHECK: store volatile <3 x i32>
  store volatile <3 x i32> %v, ptr addrspace(5) %out
  %ph = getelementptr i8, ptr addrspace(4) %pa, i64 2
  %h = load half, ptr addrspace(4) %ph
  ; CHECK: [[H:%.*]] = extractelement <2 x i16> {{.*}}, i64 1
  ; CHECK: [[HF:%.*]] = bitcast i16 [[H]] to half
  ; CHECK: store volatile half [[HF]]
  store volatile half %h, ptr addrspace(5) %out
  %pl = getelementptr i8, ptr addrspace(4) %p, i64 12
  %l = load i64, ptr addrspace(4) %pl
  ; CHECK: store volatile i64 0,
  store volatile i64 %l, ptr addrspace(5) %out
  ; CHECK: [[DYN:%.*]] = getelementptr i32, ptr addrspace(4) [[BASE]], i32 %i
  ; CHECK: load i32, ptr addrspace(4) [[DYN]]
  %pd = getelementptr i32, ptr addrspace(4) %p, i32 %i
  %d = load i32, ptr addrspace(4) %pd
  store volatile i32 %d, ptr addrspace(5) %out
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32) memory(none)
declare ptr addrspace(4) @lgc.push.const__p4() memory(none)

!lgc.target = !{!0}
!lgc.user.data = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"PushConst", i32 4, i32 10, i32 0, i32 0, i32 0}

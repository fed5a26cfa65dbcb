; RUN: lgc-opt -passes=lgc-lower-workgroup-globals -verify-each %s -o - | FileCheck %s

; 100 dwords by 64 invocations: one store by all, one by the first 36. 4000 dwords: a loop. The
; variable without an initial value is left alone.
; CHECK: @small = internal addrspace(3) global [100 x i32] poison, align 4
; CHECK: @large = internal addrspace(3) global [8000 x i16] poison, align 4
; CHECK: @plain = internal addrspace(3) global [100 x i32] undef
; CHECK: [[INDEX:%.*]] = call i32 @lgc.builtin__i32_i32(i32 3)
; CHECK: store i32 0, ptr addrspace(3) {{%.*}}, align 4
; CHECK: [[LAST:%.*]] = add i32 [[INDEX]], 64
; CHECK: icmp ult i32 [[LAST]], 100
; CHECK: clear:
; CHECK-NEXT: [[I:%.*]] = phi i32 [ [[INDEX]], {{.*}} ], [ [[NEXT:%.*]], %clear ]
; CHECK: store i32 0, ptr addrspace(3)
; CHECK: [[NEXT]] = add i32 [[I]], 64
; CHECK: icmp ult i32 [[NEXT]], 4000
; CHECK: fence syncscope("workgroup") release
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK: fence syncscope("workgroup") acquire
; CHECK: store i32 7, ptr addrspace(3) @small
@small = internal addrspace(3) global [100 x i32] zeroinitializer
@large = internal addrspace(3) global [8000 x i16] zeroinitializer
@plain = internal addrspace(3) global [100 x i32] undef

define void @lgc.shader.CS() {
  store i32 7, ptr addrspace(3) @small
  store i16 7, ptr addrspace(3) @large
  store i32 7, ptr addrspace(3) @plain
  ret void
}
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"workgroupSize", i32 64, i32 1, i32 1}

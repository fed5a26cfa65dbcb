; RUN: lgc-opt -passes=lgc-lower-barriers %s -o - | FileCheck %s
; CHECK: call void @llvm.amdgcn.wave.barrier()
; CHECK-NEXT: fence syncscope("workgroup") release
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: fence syncscope("workgroup") acquire
; CHECK-NEXT: ret void
define void @lgc.shader.CS() {
  call void @lgc.control.barrier__void_i32(i32 0)
  fence syncscope("workgroup") release
  call void @lgc.control.barrier__void_i32(i32 1)
  fence syncscope("workgroup") acquire
  ret void
}
declare void @lgc.control.barrier__void_i32(i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

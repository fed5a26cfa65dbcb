; RUN: lgc-opt -passes=lgc-lower-workgroup-globals -verify-each %s -o - | FileCheck %s

; Every shader clears the variables that it uses, with its own number of invocations.
; CHECK-LABEL: define void @lgc.shader.TS()
; CHECK: store i32 0, ptr addrspace(3) {{%.*}}, align 4
; CHECK-NOT: store i32 0
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK: store i32 7, ptr addrspace(3) @task
; CHECK-LABEL: define void @lgc.shader.MS()
; CHECK: store i32 0, ptr addrspace(3) {{%.*}}, align 4
; CHECK: store i32 0, ptr addrspace(3) {{%.*}}, align 4
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK: store i32 8, ptr addrspace(3) getelementptr
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK-NEXT: ret void
@task = internal addrspace(3) global [64 x i32] zeroinitializer
@mesh = internal addrspace(3) global [64 x i32] zeroinitializer

define void @lgc.shader.TS() {
  store i32 7, ptr addrspace(3) @task
  ret void
}
define void @lgc.shader.MS() {
  store i32 8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @mesh, i32 4)
  ret void
}
define void @lgc.shader.FS() {
  ret void
}
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.shader.task = !{!2}
!lgc.shader.mesh = !{!3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"task", !"mesh", !"fragment"}
!2 = !{!"workgroupSize", i32 64, i32 1, i32 1}
!3 = !{!"workgroupSize", i32 32, i32 1, i32 1}

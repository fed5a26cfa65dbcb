; RUN: lgc-opt -passes=lgc-lower-mesh -verify-each %s -o - | FileCheck %s

; A workgroup of one wave needs no barriers among itself; the three idle waves wait for its end.
; CHECK-LABEL: define void @lgc.hw.GS()
; CHECK-NOT: call void @llvm.amdgcn.s.barrier()
; CHECK: [[BUSY:%.*]] = icmp ult i32 %wave, 1
; CHECK-NEXT: br i1 [[BUSY]], label %busy, label %idle
; Not every lane of the wave is an invocation.
; CHECK: busy:
; CHECK-NEXT: [[INSIDE:%.*]] = icmp ult i32 %lane, 48
; CHECK-NEXT: br i1 [[INSIDE]], label {{%.*}}, label %body.end
; CHECK: idle:
; CHECK-NEXT: br label %join
; CHECK: then:
; CHECK-NEXT: call void @llvm.amdgcn.wave.barrier()
; CHECK-NOT: call void @llvm.amdgcn.s.barrier()
; CHECK: join:
; CHECK-NEXT: fence syncscope("workgroup") release
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: fence syncscope("workgroup") acquire
define void @lgc.shader.MS() "amdgpu-flat-work-group-size"="128,128" {
  %x = call i32 @lgc.user.data__i32_i32(i32 0)
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 %x, i32 %x)
  %some = icmp eq i32 %x, 5
  br i1 %some, label %then, label %else
then:
  call void @llvm.amdgcn.s.barrier()
  br label %else
else:
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 512, i32 0, i32 0, i32 %x)
  call void @lgc.output.store__void_v2i32_i32_i32_i32_i32(<2 x i32> <i32 0, i32 1>, i32 525, i32 0, i32 0, i32 %x)
  ret void
}
declare i32 @lgc.user.data__i32_i32(i32)
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
declare void @llvm.amdgcn.s.barrier()
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v2i32_i32_i32_i32_i32(<2 x i32>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3, !4}
!lgc.shader.mesh = !{!5}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"mesh"}
!2 = !{!"mesh.output", !"lines"}
!3 = !{!"mesh.outputVertices", i32 200}
!4 = !{!"mesh.outputPrimitives", i32 250}
!5 = !{!"workgroupSize", i32 48, i32 1, i32 1}

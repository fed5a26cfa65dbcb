; RUN: lgc-opt -passes=lgc-lower-mesh -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -passes=lgc-lower-mesh -mcpu=gfx1100 -verify-each %s -o - | FileCheck --check-prefix=ROWS %s
; RUN: lgc-opt -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s

; 128 invocations in two waves, 250 primitives: gfx10.3 needs four waves. The two that have no
; invocation pass as many barriers as the others, whose first one says at the end how many that
; were, the one behind the shader included. gfx11 has the two waves alone, which loop.
; CHECK-LABEL: define void @lgc.hw.GS()
; CHECK: %wave = and i32 {{%.*}}, 15
; CHECK: first:
; CHECK: store i32 0, ptr addrspace(3) getelementptr {{.*}} (i8, ptr addrspace(3) @lgc.mesh.outputs, i32 4), align 4
; CHECK: first.end:
; CHECK-NEXT: fence syncscope("workgroup") release
; CHECK-NEXT: [[BUSY:%.*]] = icmp ult i32 %wave, 2
; CHECK-NEXT: br i1 [[BUSY]], label %busy, label %idle
; CHECK: pass:
; CHECK-NEXT: [[PASSED:%.*]] = phi i32 [ 0, %idle ], [ [[NEXT:%.*]], %pass ]
; CHECK-NEXT: fence syncscope("workgroup") release
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: fence syncscope("workgroup") acquire
; CHECK-NEXT: [[NEXT]] = add i32 [[PASSED]], 1
; CHECK-NEXT: [[LOADED:%.*]] = load i32, ptr addrspace(3) getelementptr {{.*}} (i8, ptr addrspace(3) @lgc.mesh.outputs, i32 4), align 4
; CHECK-NEXT: [[UNIFORM:%.*]] = call i32 @llvm.amdgcn.readfirstlane.i32(i32 [[LOADED]])
; CHECK-NEXT: [[DONE:%.*]] = icmp eq i32 [[UNIFORM]], [[NEXT]]
; CHECK-NEXT: br i1 [[DONE]], label %passed, label %pass
; CHECK: then:
; CHECK-NEXT: [[ONE:%.*]] = add i32 0, 1
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK: else:
; CHECK-NEXT: [[COUNT:%.*]] = phi i32 [ [[ONE]], %then ], [ 0, {{%.*}} ]
; CHECK: body.end:
; CHECK-NEXT: [[ALL:%.*]] = add i32 [[COUNT]], 1
; CHECK: count:
; CHECK-NEXT: store i32 [[ALL]], ptr addrspace(3) getelementptr {{.*}} (i8, ptr addrspace(3) @lgc.mesh.outputs, i32 4), align 4
; CHECK: count.end:
; CHECK-NEXT: fence syncscope("workgroup") release
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK: allocate:
; CHECK-NEXT: call void @llvm.amdgcn.s.sendmsg
; CHECK-NOT: phi
; CHECK: attributes #0 = { "amdgpu-flat-work-group-size"="256,256" }

; ROWS-LABEL: define void @lgc.hw.GS()
; ROWS-NOT: idle:
; ROWS: primitive.next:
; ROWS-NEXT: %index = phi i32 [ %lane, %export ], [ [[NEXT:%.*]], %primitive ]
; ROWS-NEXT: %row = phi i32 [ %wave, %export ], [ [[NEXTROW:%.*]], %primitive ]
; ROWS-NEXT: icmp ult i32 %index, %primitives
; ROWS: primitive:
; ROWS: call void @llvm.amdgcn.exp.row.i32(i32 20, i32 1, {{.*}}, i1 true, i32 %row)
; ROWS: [[NEXT]] = add i32 %index, 128
; ROWS: [[NEXTROW]] = add i32 %row, 2
; ROWS: attributes #0 = { "amdgpu-flat-work-group-size"="128,128" }

; ASM: s_bfe_u32 [[WAVE:s[0-9]+]], s3, 0x40018
; ASM: s_barrier
; ASM: s_barrier
; ASM: s_barrier
; ASM: .prim_amp_factor: 0xfa
; ASM: .threads_per_subgroup: 0xfa
; ASM: .outprim_type: LineStrip
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
!5 = !{!"workgroupSize", i32 8, i32 8, i32 2}

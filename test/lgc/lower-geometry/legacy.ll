; RUN: lgc-opt -mcpu=gfx1030 -passes='lgc-lower-geometry,function(sroa,early-cse)' -verify-each %s -o - | FileCheck %s

; Two fields of at most 2 vertices: field 0 at offset 0, field 1 at 8, in the driver's ring with a
; stride of 16 bytes. Messages: 34 emit, 18 cut, 3 done. GLC, SLC, swizzled.
; CHECK-LABEL: define void @lgc.hw.GS()
; CHECK: gs:
; CHECK: [[OFFSET:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 5)
; CHECK: [[WAVE:%.*]] = and i32 {{%.*}}, 255
; CHECK: [[RING:%.*]] = call <4 x i32> @lgc.driver.table__v4i32_i32(i32 16)
; CHECK: [[WORD:%.*]] = extractelement <4 x i32> [[RING]], i64 1
; CHECK: [[CLEAR:%.*]] = and i32 [[WORD]], -1073676289
; CHECK: [[STRIDE:%.*]] = or i32 [[CLEAR]], 1048576
; CHECK: [[DESC:%.*]] = insertelement <4 x i32> [[RING]], i32 [[STRIDE]], i64 1
; CHECK: call void @llvm.amdgcn.raw.buffer.store.i32(i32 1065353216, <4 x i32> [[DESC]], i32 0, i32 [[OFFSET]], i32 11)
; CHECK: call void @llvm.amdgcn.raw.buffer.store.i32(i32 [[X:%.*]], <4 x i32> [[DESC]], i32 8, i32 [[OFFSET]], i32 11)
; CHECK: call void @llvm.amdgcn.s.sendmsg(i32 34, i32 [[WAVE]])
; CHECK: call void @llvm.amdgcn.s.sendmsg(i32 18, i32 [[WAVE]])

; In a branch the number is not known, and what is too much is dropped.
; CHECK: [[FITS:%.*]] = icmp ult i32 [[N:%.*]], 2
; CHECK: br i1 [[FITS]]
; CHECK: [[BYTES:%.*]] = shl i32 [[N]], 2
; CHECK: call void @llvm.amdgcn.raw.buffer.store.i32(i32 {{.*}}, <4 x i32> [[DESC]], i32 [[BYTES]], i32 [[OFFSET]], i32 11)
; CHECK: fence syncscope("agent") release
; CHECK: call void @llvm.amdgcn.s.sendmsg(i32 3, i32 {{%.*}})
; CHECK-NEXT: br label %gs.end

; The copy shader: field after field, 16 x 2 dwords apart: 16 lanes lie side by side in the ring.
; CHECK-LABEL: define void @lgc.hw.VS()
; CHECK: [[RING:%.*]] = call <4 x i32> @lgc.driver.table__v4i32_i32(i32 32)
; CHECK: [[V:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 16)
; CHECK: [[AT:%.*]] = shl i32 [[V]], 2
; CHECK: [[F0:%.*]] = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> [[RING]], i32 [[AT]], i32 0, i32 3)
; CHECK: [[F1:%.*]] = call i32 @llvm.amdgcn.raw.buffer.load.i32(<4 x i32> [[RING]], i32 [[AT]], i32 128, i32 3)
; CHECK: [[A:%.*]] = bitcast i32 [[F0]] to float
; CHECK: [[P:%.*]] = bitcast i32 [[F1]] to float
; CHECK: call void @llvm.amdgcn.exp.f32(i32 12, i32 15, float [[P]], float 0.000000e+00, float 0.000000e+00, float 1.000000e+00, i1 true, i1 false)
; CHECK: call void @llvm.amdgcn.exp.f32(i32 32, i32 1, float [[A]],
; CHECK: ret void
define void @lgc.shader.VS() {
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 2.0, i32 2, i32 0, i32 0, i32 poison)
  ret void
}

define void @lgc.shader.GS() {
  %x = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 2, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 1.0, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.emit.vertex__void_i32(i32 0)
  call void @lgc.end.primitive__void_i32(i32 0)
  %twice = fcmp ogt float %x, 1.0
  br i1 %twice, label %again, label %rest
again:
  call void @lgc.emit.vertex__void_i32(i32 0)
  br label %rest
rest:
  call void @lgc.emit.vertex__void_i32(i32 0)
  ret void
}

declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare i32 @lgc.hw.value__i32_i32(i32) memory(none)
declare void @lgc.emit.vertex__void_i32(i32)
declare void @lgc.end.primitive__void_i32(i32)

!lgc.graphics = !{!0, !1, !2}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.outputVertices", i32 2}
!2 = !{!"geometry.output", !"lines"}

; RUN: lgc-opt -passes=lgc-lower-tessellation -verify-each %s -o - | FileCheck %s

; Indices of arrays of locations: slots 2 to 5 of vertices (operand 2 | 3 << 16), Patch slots 1 to 3
; (385 | 2 << 16). Records of vertices have 4 * 4 + 1 dwords; 8 patches of 32 vertices.
; CHECK: @lgc.lds.HS = internal addrspace(3) global [4456 x i32] poison
; CHECK-LABEL: define void @lgc.hw.HS()
; A slot in the middle of the array: position 2.
; CHECK: vertex:
; CHECK: [[RECORD:%.*]] = mul i32 {{%.*}}, 17
; CHECK: add i32 [[RECORD]], 8
; CHECK: store i32 {{.*}} align 4
; CHECK: control:
; CHECK: [[ELEMENT:%.*]] = shl i32 %HsPatchId.i, 2
; CHECK: [[INSIDE:%.*]] = add i32 [[ELEMENT]], 1
; CHECK: [[RECORD:%.*]] = mul i32 {{%.*}}, 17
; CHECK: add i32 [[RECORD]], [[INSIDE]]
; 16-bit values take a dword.
; CHECK: [[WORD:%.*]] = load i32, ptr addrspace(3)
; CHECK: [[SHORT:%.*]] = trunc i32 [[WORD]] to i16
; CHECK: [[WORD:%.*]] = zext i16 [[SHORT]] to i32
; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 [[WORD]],
; Patches: 16 bytes * 8 patches a slot; of the first slot of the array, behind slot 0 of patches,
; and four of vertices.
; CHECK: [[OFFSET:%.*]] = shl i32 %relPatch.i, 4
; CHECK: [[SLOTS:%.*]] = mul i32 %HsPatchId.i, 128
; CHECK: add i32 [[OFFSET]], [[SLOTS]]
; CHECK: add i32 %OffChipLdsBase.i, 16512
; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.v2i32
; It is read back, so it goes to LDS too, where it is one of three slots.
; CHECK: mul i32 %relPatch.i, 13
; CHECK: store <2 x i32>
; Vertex slots 6 to 8 are stored through an index, only 7 is read: all three have a place.
; CHECK: mul i32 %invocation.i, 4096
define void @lgc.shader.VS() {
  call void @lgc.output.store__v_f16_i32_i32_i32_i32(half 1.0, i32 4, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.TCS() {
  %id = call i32 @lgc.builtin__i32_i32(i32 24)
  %i = call i32 @lgc.builtin__i32_i32(i32 25)
  %h = call half @lgc.input.load__f16_i32_i32_i32_i32(i32 196610, i32 1, i32 %i, i32 %id)
  call void @lgc.output.store__v_f16_i32_i32_i32_i32(half %h, i32 3, i32 0, i32 0, i32 %id)
  call void @lgc.output.store__v_v2f32_i32_i32_i32_i32(<2 x float> <float 1.0, float 2.0>, i32 131457, i32 2, i32 %i, i32 poison)
  call void @lgc.output.store__v_f16_i32_i32_i32_i32(half %h, i32 384, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__v_f16_i32_i32_i32_i32(half %h, i32 131078, i32 0, i32 %id, i32 %id)
  call void @lgc.control.barrier__v_i32(i32 1)
  %x = call float @lgc.output.load__f32_i32_i32_i32_i32(i32 131457, i32 3, i32 %id, i32 poison)
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %x, i32 3, i32 1, i32 0, i32 %id)
  ret void
}

; CHECK-LABEL: define void @lgc.shader.TES()
; CHECK: [[SLOTS:%.*]] = mul i32 %TessPatchId, 128
; CHECK: add i32 {{%.*}}, [[SLOTS]]
; CHECK: add nuw i32 {{%.*}}, 8
; CHECK: add i32 %OffChipLdsBase, 16512
; CHECK: call <2 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v2i32
; CHECK: call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32
; CHECK: trunc i32 {{%.*}} to i16
define void @lgc.shader.TES() {
  %j = call i32 @lgc.builtin__i32_i32(i32 25)
  %v = call <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32 131457, i32 2, i32 %j, i32 poison)
  call void @lgc.output.store__v_v2f32_i32_i32_i32_i32(<2 x float> %v, i32 512, i32 0, i32 0, i32 poison)
  %h = call half @lgc.input.load__f16_i32_i32_i32_i32(i32 3, i32 0, i32 0, i32 0)
  call void @lgc.output.store__v_f16_i32_i32_i32_i32(half %h, i32 0, i32 0, i32 0, i32 poison)
  %l = call half @lgc.input.load__f16_i32_i32_i32_i32(i32 7, i32 0, i32 0, i32 0)
  call void @lgc.output.store__v_f16_i32_i32_i32_i32(half %l, i32 0, i32 2, i32 0, i32 poison)
  %k = call half @lgc.input.load__f16_i32_i32_i32_i32(i32 384, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__v_f16_i32_i32_i32_i32(half %k, i32 0, i32 1, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare half @lgc.input.load__f16_i32_i32_i32_i32(i32, i32, i32, i32)
declare <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare float @lgc.output.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__v_f16_i32_i32_i32_i32(half, i32, i32, i32, i32)
declare void @lgc.output.store__v_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__v_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.control.barrier__v_i32(i32)
!lgc.target = !{!4}
!4 = !{!"gfx1030"}
!lgc.graphics = !{!0, !1, !2, !3}
!0 = !{!"stages", !"vertex", !"tessControl", !"tessEval"}
!1 = !{!"patchControlPoints", i32 32}
!2 = !{!"tess.domain", !"quads"}
!3 = !{!"tess.outputVertices", i32 32}

; RUN: lgc-opt -passes=lgc-lower-tessellation,early-cse,instsimplify -verify-each %s -o - | FileCheck %s

; 4 control points in, 3 out, 64 patches a group. Input record: Position and location 0, 9 dwords.
; Outputs that are read back: location 0 (5 dwords), per patch the levels (9 dwords).
; CHECK: @lgc.lds.HS = internal addrspace(3) global [3840 x i32] poison

; CHECK-LABEL: define void @lgc.hw.HS()
; CHECK-SAME: #[[ATTRS:[0-9]+]]
; CHECK-NEXT: entry:
; CHECK-NEXT: call void @llvm.amdgcn.init.exec(i64 -1)
; CHECK-NEXT: [[INFO:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 0)
; CHECK: [[LANE:%lane]] = call range(i32 0, 64) i32 @llvm.amdgcn.mbcnt.hi
; CHECK: [[LS:%.*]] = and i32 [[INFO]], 255
; CHECK: icmp ult i32 [[LANE]], [[LS]]

; CHECK: vertex:
; Slots in ascending order: location 0 at dword 0, Position at 4. Location 5 is read by nobody.
; CHECK: [[REL:%.*]] = and i32 %RelVertexId.i, 16777215
; CHECK: [[RECORD:%.*]] = mul i32 [[REL]], 9
; CHECK: [[POSITION:%.*]] = add i32 [[RECORD]], 4
; CHECK: [[ADDRESS:%.*]] = getelementptr inbounds i32, ptr addrspace(3) @lgc.lds.HS, i32 [[POSITION]]
; CHECK: store <4 x i32> {{%.*}}, ptr addrspace(3) [[ADDRESS]], align 4
; CHECK: [[ADDRESS:%.*]] = getelementptr inbounds i32, ptr addrspace(3) @lgc.lds.HS, i32 [[RECORD]]
; CHECK: store <4 x i32> {{%.*}}, ptr addrspace(3) [[ADDRESS]], align 4
; CHECK-NOT: store

; CHECK: vertex.end:
; CHECK-NEXT: fence syncscope("workgroup") release, !mmra
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: fence syncscope("workgroup") acquire, !mmra
; CHECK-NEXT: [[HIGH:%.*]] = lshr i32 [[INFO]], 8
; CHECK-NEXT: [[HS:%.*]] = and i32 [[HIGH]], 255
; CHECK-NEXT: icmp ult i32 [[LANE]], [[HS]]

; CHECK: control:
; CHECK: [[IDS:%.*]] = lshr i32 %HsRelPatchId.i, 8
; CHECK: [[ID:%.*]] = and i32 [[IDS]], 31
; CHECK: [[PATCH:%.*]] = and i32 %HsRelPatchId.i, 255
; Position of control point [[ID]]: an input record is (patch * 4 + vertex) * 9 + 4.
; CHECK: [[FIRST:%.*]] = mul nuw i32 [[PATCH]], 4
; CHECK: [[VERTEX:%.*]] = add i32 [[FIRST]], [[ID]]
; CHECK: [[RECORD:%.*]] = mul i32 [[VERTEX]], 9
; CHECK: [[DWORD:%.*]] = add i32 [[RECORD]], 4
; CHECK: getelementptr inbounds i32, ptr addrspace(3) @lgc.lds.HS, i32 [[DWORD]]
; CHECK: [[P:%.*]] = load <4 x i32>
; Off-chip: 16 bytes a control point, slot by slot. The evaluation shader reads Position only: the
; other per-vertex output goes to LDS alone.
; CHECK: [[FIRST3:%.*]] = mul nuw i32 [[PATCH]], 3
; CHECK: [[VERTEX3:%.*]] = add i32 [[FIRST3]], [[ID]]
; CHECK: [[OFFSET:%.*]] = shl i32 [[VERTEX3]], 4
; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.v4i32(<4 x i32> [[P]], {{.*}}, i32 [[OFFSET]], i32 %OffChipLdsBase.i, i32 0)
; CHECK-NOT: raw.ptr.buffer.store
; CHECK: [[RECORD:%.*]] = mul i32 [[VERTEX3]], 5
; 64 * 4 * 9 dwords of inputs, component 2
; CHECK: add i32 [[RECORD]], 2306
; CHECK: store <2 x i32>
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK: [[RECORD:%.*]] = mul i32 {{%.*}}, 5
; CHECK: add i32 [[RECORD]], 2307
; CHECK: [[O:%.*]] = load i32, ptr addrspace(3)
; Patch slots come behind one slot of 64 * 3 vertices: 3072 bytes.
; CHECK: [[OFFSET:%.*]] = shl i32 [[PATCH]], 4
; CHECK: [[OFFSET4:%.*]] = add nuw i32 [[OFFSET]], 4
; CHECK: [[BASE:%.*]] = add i32 %OffChipLdsBase.i, 3072
; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 [[O]], {{.*}}, i32 [[OFFSET4]], i32 [[BASE]], i32 0)
; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %HsPatchId.i,
; The levels: all in LDS, the inner one also off-chip because the evaluation shader reads it.
; CHECK: [[LEVELS:%.*]] = mul i32 [[PATCH]], 9
; CHECK: add i32 [[LEVELS]], 3264
; CHECK: add i32 [[LEVELS]], 3265
; CHECK: add i32 [[LEVELS]], 3266
; CHECK: [[BASE:%.*]] = add i32 %OffChipLdsBase.i, 4096
; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 1077936128, {{.*}}, i32 [[OFFSET]], i32 [[BASE]], i32 0)
; CHECK: add i32 [[LEVELS]], 3268
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK: [[OTHERS:%.*]] = and i32 {{%.*}}, 7936
; CHECK: icmp eq i32 [[OTHERS]], 0

; CHECK: factors:
; CHECK: [[RING:%.*]] = call <4 x i32> @lgc.driver.table__v4i32_i32(i32 36)
; CHECK: [[TF:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 3)
; CHECK: [[OFFSET:%.*]] = mul nuw i32 {{%.*}}, 16
; CHECK: call void @llvm.amdgcn.raw.ptr.buffer.store.v4i32(<4 x i32> {{%.*}}, ptr addrspace(8) {{%.*}}, i32 [[OFFSET]], i32 [[TF]], i32 0)
; CHECK: ret void
define void @lgc.shader.VS() {
  %id = call i32 @lgc.hw.value__i32_i32(i32 16)
  %f = sitofp i32 %id to float
  %v = insertelement <4 x float> zeroinitializer, float %f, i32 0
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 5, i32 0, i32 0, i32 poison)
  ret void
}

define void @lgc.shader.TCS() {
  %id = call i32 @lgc.builtin__i32_i32(i32 24)
  %prim = call i32 @lgc.builtin__i32_i32(i32 25)
  %n = call i32 @lgc.builtin__i32_i32(i32 22)
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 %id)
  %q = call <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32 0, i32 1, i32 0, i32 %n)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 512, i32 0, i32 0, i32 %id)
  call void @lgc.output.store__v_v2f32_i32_i32_i32_i32(<2 x float> %q, i32 0, i32 2, i32 0, i32 %id)
  call void @lgc.control.barrier__v_i32(i32 1)
  %o = call float @lgc.output.load__f32_i32_i32_i32_i32(i32 0, i32 3, i32 0, i32 2)
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %o, i32 384, i32 1, i32 0, i32 poison)
  call void @lgc.output.store__v_i32_i32_i32_i32_i32(i32 %prim, i32 384, i32 2, i32 0, i32 poison)
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %o, i32 522, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %o, i32 522, i32 1, i32 0, i32 poison)
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float %o, i32 522, i32 2, i32 0, i32 poison)
  call void @lgc.output.store__v_f32_i32_i32_i32_i32(float 3.0, i32 523, i32 0, i32 0, i32 poison)
  ret void
}

; CHECK-LABEL: define void @lgc.shader.TES()
; CHECK: %relPatch = and i32 %TessRelPatchId, 16777215
; CHECK: [[U:%TessCoordX]] = call float @lgc.hw.value__f32_i32(i32 20)
; CHECK: [[V:%TessCoordY]] = call float @lgc.hw.value__f32_i32(i32 21)
; CHECK: [[W:%.*]] = fsub float 1.000000e+00, [[U]]
; CHECK: [[W3:%.*]] = fsub float [[W]], [[V]]
; Vertex [[PRIMITIVE]] of the patch: device-coherent load.
; CHECK: [[PRIMITIVE:%TessPatchId]] = call i32 @lgc.hw.value__i32_i32(i32 23)
; CHECK: [[FIRST:%.*]] = mul nuw i32 %relPatch, 3
; CHECK: [[VERTEX:%.*]] = add i32 [[FIRST]], [[PRIMITIVE]]
; CHECK: [[OFFSET:%.*]] = shl i32 [[VERTEX]], 4
; CHECK: call <4 x i32> @llvm.amdgcn.raw.ptr.buffer.load.v4i32(ptr addrspace(8) {{%.*}}, i32 [[OFFSET]], i32 %OffChipLdsBase, i32 1)
; CHECK: [[PATCH:%.*]] = shl i32 %relPatch, 4
; CHECK: [[PATCH4:%.*]] = add nuw i32 [[PATCH]], 4
; CHECK: [[BASE:%.*]] = add i32 %OffChipLdsBase, 3072
; CHECK: call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) {{%.*}}, i32 [[PATCH4]], i32 [[BASE]], i32 1)
; CHECK: [[BASE:%.*]] = add i32 %OffChipLdsBase, 4096
; CHECK: call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) {{%.*}}, i32 [[PATCH]], i32 [[BASE]], i32 1)
; CHECK: fadd float {{%.*}}, [[W3]]
; CHECK: call void @lgc.output.store
define void @lgc.shader.TES() {
  %c = call <3 x float> @lgc.builtin__v3f32_i32(i32 23)
  %prim = call i32 @lgc.builtin__i32_i32(i32 25)
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 %prim)
  %q = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 384, i32 1, i32 0, i32 poison)
  %r = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 523, i32 0, i32 0, i32 poison)
  %x = extractelement <3 x float> %c, i32 2
  %s = fadd float %q, %x
  %s2 = fadd float %s, %r
  %w = insertelement <4 x float> %p, float %s2, i32 3
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %w, i32 512, i32 0, i32 0, i32 poison)
  ret void
}

; CHECK: attributes #[[ATTRS]] = { "amdgpu-flat-work-group-size"="256,256"
; CHECK: !{!".graphics_registers", !".vgt_ls_hs_config", !".num_patches", i64 64}
; CHECK: !{!".graphics_registers", !".vgt_ls_hs_config", !".hs_num_input_cp", i64 4}
; CHECK: !{!".graphics_registers", !".vgt_ls_hs_config", !".hs_num_output_cp", i64 3}

declare i32 @lgc.hw.value__i32_i32(i32)
declare i32 @lgc.builtin__i32_i32(i32)
declare <3 x float> @lgc.builtin__v3f32_i32(i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare float @lgc.output.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__v_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__v_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__v_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
declare void @lgc.control.barrier__v_i32(i32)
!lgc.target = !{!4}
!4 = !{!"gfx1100"}
!lgc.graphics = !{!0, !1, !2, !3}
!0 = !{!"stages", !"vertex", !"tessControl", !"tessEval", !"fragment"}
!1 = !{!"patchControlPoints", i32 4}
!2 = !{!"tess.domain", !"triangles"}
!3 = !{!"tess.outputVertices", i32 3}

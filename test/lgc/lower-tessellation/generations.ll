; RUN: lgc-opt -mcpu=gfx1010 -passes=lgc-lower-tessellation -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX10,LEGACY %s
; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-tessellation -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX10,NGG %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-tessellation -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX11,NGG %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-tessellation -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX12,NGG %s

; The vertex's number in the group is a register up to gfx11; then wave * 64 + lane.
; CHECK-LABEL: define void @lgc.hw.HS()
; CHECK: vertex:
; GFX10: call i32 @lgc.hw.value__i32_i32(i32 17)
; GFX11: call i32 @lgc.hw.value__i32_i32(i32 17)
; GFX12: [[WAVE:%WaveIdInGroup.*]] = call i32 @lgc.hw.value__i32_i32(i32 4)
; GFX12: [[NUMBER:%.*]] = and i32 [[WAVE]], 31
; GFX12: [[START:%.*]] = mul nuw i32 [[NUMBER]], 64
; GFX12: call range(i32 0, 64) i32 @llvm.amdgcn.mbcnt.hi
; GFX12: add nuw i32 [[START]],

; Outputs are stored for the device, factors on gfx12 for the system.
; GFX10: raw.ptr.buffer.store.v4i32(<4 x i32> {{%.*}}, ptr addrspace(8) {{%.*}}, i32 {{%.*}}, i32 {{%.*}}, i32 0)
; GFX12: raw.ptr.buffer.store.v4i32(<4 x i32> {{%.*}}, ptr addrspace(8) {{%.*}}, i32 {{%.*}}, i32 {{%.*}}, i32 16)
; CHECK: factors:
; GFX10: raw.ptr.buffer.store.v4i32(<4 x i32> {{%.*}}, ptr addrspace(8) {{%.*}}, i32 {{%.*}}, i32 {{%.*}}, i32 0)
; GFX12: raw.ptr.buffer.store.v4i32(<4 x i32> {{%.*}}, ptr addrspace(8) {{%.*}}, i32 {{%.*}}, i32 {{%.*}}, i32 24)

; Evaluation shaders read past the caches that are not coherent: glc and dlc, glc, device scope.
; CHECK-LABEL: define void @lgc.shader.TES()
; GFX10: raw.ptr.buffer.load.v4i32(ptr addrspace(8) {{%.*}}, i32 {{%.*}}, i32 {{%.*}}, i32 5)
; GFX11: raw.ptr.buffer.load.v4i32(ptr addrspace(8) {{%.*}}, i32 {{%.*}}, i32 {{%.*}}, i32 1)
; GFX12: raw.ptr.buffer.load.v4i32(ptr addrspace(8) {{%.*}}, i32 {{%.*}}, i32 {{%.*}}, i32 16)

; LEGACY: !{!".graphics_registers", !".vgt_gs_onchip_cntl", !".es_verts_per_subgroup", i64 250}
; NGG-NOT: vgt_gs_onchip_cntl
define void @lgc.shader.VS() {
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.TCS() {
  %id = call i32 @lgc.builtin__i32_i32(i32 24)
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 %id)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 512, i32 0, i32 0, i32 %id)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 522, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.TES() {
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 2)
  call void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 512, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__v_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.target = !{!4}
!4 = !{!"gfx1030"}
!lgc.graphics = !{!0, !1, !2, !3}
!0 = !{!"stages", !"vertex", !"tessControl", !"tessEval"}
!1 = !{!"patchControlPoints", i32 3}
!2 = !{!"tess.domain", !"triangles"}
!3 = !{!"tess.outputVertices", i32 3}

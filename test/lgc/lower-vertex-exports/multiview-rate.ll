; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: not lgc-opt -mcpu=gfx1010 -passes=lgc-lower-vertex-exports %s -o - 2>&1 | FileCheck --check-prefix=REJECT %s

; REJECT: lgc-opt: unsupported: PrimitiveShadingRateKHR on gfx1010

; With multiview the layer is the view. Rates are width and height, up to 2 x 2, on gfx10.3, Vulkan's
; number without 1 x 4 and 4 x 1 later; at bits 5:2 either way.
; CHECK: {{^}}vertex
; GFX10: and i32 %{{.*}}, 12
; GFX10: [[WIDE:%.*]] = icmp ne i32
; GFX10: and i32 %{{.*}}, 3
; GFX10: [[TALL:%.*]] = icmp ne i32
; GFX10: [[LOW:%.*]] = select i1 [[WIDE]], i32 4, i32 0
; GFX10: [[HIGH:%.*]] = select i1 [[TALL]], i32 16, i32 0
; GFX10: or i32 [[LOW]], [[HIGH]]
; GFX11: [[MASKED:%.*]] = and i32 {{%.*}}, 15
; GFX11: [[IS1X4:%.*]] = icmp eq i32 [[MASKED]], 2
; GFX11: [[FIRST:%.*]] = select i1 [[IS1X4]], i32 1, i32 [[MASKED]]
; GFX11: [[IS4X1:%.*]] = icmp eq i32 [[FIRST]], 8
; GFX11: [[SECOND:%.*]] = select i1 [[IS4X1]], i32 4, i32 [[FIRST]]
; GFX11: shl i32 [[SECOND]], 2
; CHECK: %view = call i32 @lgc.special.user.data__i32_i32(i32 268435467)
; CHECK: [[VIEW:%.*]] = bitcast i32 %view to float
; CHECK: call void @llvm.amdgcn.exp.f32(i32 13, i32 6, float poison, float {{%.*}}, float [[VIEW]], float poison, i1 true, i1 false)
; CHECK-DAG: !".use_vtx_vrs_rate", i64 1}
; CHECK-DAG: !".bypass_prim_rate_combiner", i64 1}
; CHECK-DAG: !".use_vtx_render_target_indx", i64 1}
; CHECK-DAG: !{!".uses_viewport_array_index", i64 0}
define void @lgc.shader.VS() {
  %vertex = call i32 @lgc.hw.value__i32_i32(i32 16)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %vertex, i32 521, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{!"enableMultiView", i32 1}

; RUN: lgc-opt -passes=lgc-lower-mesh -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s

; Multiview: ViewIndex is user data and the layer of every primitive. DrawIndex is user data too.
; Nobody calls set.mesh.outputs: nothing is launched, which must be said.
; CHECK: [[DRAW:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435461)
; CHECK: [[VIEW:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435467)
; CHECK: call void @llvm.amdgcn.s.sendmsg(i32 9, i32 {{%.*}})
; CHECK: [[LAYER:%.*]] = call i32 @lgc.special.user.data__i32_i32(i32 268435467)
; CHECK: and i32 [[LAYER]], 8191
; CHECK: call void @llvm.amdgcn.exp.row.i32(i32 20, i32 3, i32 0,
; ASM: .spi_shader_idx_format: 0x2
; ASM: .vgt_draw_prim_payload_en: true
; ASM: .outprim_type: PointList
; ASM: .user_data_reg_map:
; ASM-NEXT: - 0x10000000
; ASM-NEXT: - 0x10000005
; ASM-NEXT: - 0x1000000b
define void @lgc.shader.MS() {
  %draw = call i32 @lgc.builtin__i32_i32(i32 20)
  %view = call i32 @lgc.builtin__i32_i32(i32 21)
  %sum = add i32 %draw, %view
  %f = uitofp i32 %sum to float
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 0, i32 0, i32 0, i32 0)
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3, !4, !5}
!lgc.shader.mesh = !{!6}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh", !"fragment"}
!2 = !{!"mesh.outputVertices", i32 3}
!3 = !{!"mesh.outputPrimitives", i32 1}
!4 = !{!"mesh.output", !"points"}
!5 = !{!"enableMultiView", i32 1}
!6 = !{!"workgroupSize", i32 32, i32 1, i32 1}

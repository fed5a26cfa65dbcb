; RUN: lgc-opt -passes=lgc-lower-mesh -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s

; Places in a vertex record: position 16 bytes; slots 2 to 4, indexed dynamically (operand
; 2 | 2 << 16), 8 bytes each, for components 1 and 2; slot 9 a dword for its last component; point
; size; two halves of slot 1, a dword each. 16 + 24 + 8 + 4 + 4 bytes, padded to an odd number of
; 16 bytes: 80. Indices stored one by one are three dwords (place of 16 bytes) and are packed for
; export; CullPrimitive is cleared before the shader and sets the bit that drops the primitive.
; CHECK: keep:
; CHECK-NEXT: mul i32 {{%.*}}, 32
; CHECK: store i32 0, ptr addrspace(3) {{%.*}}, align 4
; CHECK: keep.end:
; CHECK-NEXT: fence syncscope("workgroup") release
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK: store <4 x float> zeroinitializer
; CHECK: [[STEP:%.*]] = mul i32 %i, 8{{$}}
; CHECK-NEXT: add i32 {{%.*}}, [[STEP]]
; CHECK: getelementptr i8, ptr addrspace(3) {{%.*}}, i32 40
; CHECK: store <2 x float> <float 1.000000e+00, float 2.000000e+00>, ptr addrspace(3) {{%.*}}, align 8
; Element 1 of the same array.
; CHECK: getelementptr i8, ptr addrspace(3) {{%.*}}, i32 52
; CHECK: store float 3.000000e+00, ptr addrspace(3) {{%.*}}, align 4
; Halves become dwords.
; CHECK: store <2 x i32> <i32 15360, i32 16384>, ptr addrspace(3) {{%.*}}, align 8
; CHECK: store i32 1, ptr addrspace(3) {{%.*}}, align 4
; CHECK: store i32 4, ptr addrspace(3) {{%.*}}, align 8
; CHECK: export:
; CHECK: [[INDICES:%.*]] = load <3 x i32>, ptr addrspace(3) {{%.*}}, align 16
; CHECK-DAG: [[I2:%.*]] = extractelement <3 x i32> [[INDICES]], i64 2
; CHECK: [[SHIFTED:%.*]] = shl i32 [[I2]], 10
; CHECK: shl i32 {{%.*}}, 10
; CHECK: [[CULL:%.*]] = load i32, ptr addrspace(3) {{%.*}}, align 4
; CHECK: shl i32 [[CULL]], 31
; CHECK: call void @llvm.amdgcn.exp.row.i32(i32 20, i32 1,

; ASM: exp prim v{{[0-9]+}}, off, off, off done row_en
; ASM: exp pos0
; ASM: exp pos1 v{{[0-9]+}}, off, off, off done row_en
; ASM: .use_vtx_point_size: true
define void @lgc.shader.MS() {
  %i = call i32 @lgc.user.data__i32_i32(i32 0)
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 %i, i32 %i)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 512, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> <float 1.0, float 2.0>, i32 131074, i32 1, i32 %i, i32 %i)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 3.0, i32 2, i32 2, i32 1, i32 %i)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 4.0, i32 9, i32 3, i32 0, i32 %i)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 5.0, i32 513, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v2f16_i32_i32_i32_i32(<2 x half> <half 1.0, half 2.0>, i32 1, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 1, i32 524, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 4, i32 525, i32 2, i32 0, i32 %i)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 3, i32 525, i32 0, i32 0, i32 %i)
  ret void
}
declare i32 @lgc.user.data__i32_i32(i32)
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_v2f16_i32_i32_i32_i32(<2 x half>, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.mesh = !{!4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh"}
!2 = !{!"mesh.outputVertices", i32 64}
!3 = !{!"mesh.outputPrimitives", i32 64}
!4 = !{!"workgroupSize", i32 64, i32 1, i32 1}

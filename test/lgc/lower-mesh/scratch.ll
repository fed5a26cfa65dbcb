; RUN: lgc-opt -passes=lgc-lower-mesh -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=ASM,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=ASM,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=ASM,GFX12 %s

; 256 vertices of 128 bytes and primitives of 20 are more than the 32 KiB that a workgroup has:
; attributes move to the mesh scratch ring until the rest fits, those of primitives first. The entry is that of the
; ordered number of the workgroup. The driver's words are an address, the bytes of the ring and those from one entry to
; the next; they are no descriptor, which is made of them, once for all accesses.
; CHECK: @lgc.mesh.outputs = internal addrspace(3) global [7428 x i32] poison
; CHECK: [[WORDS:%mesh.scratch[0-9]*]] = call <4 x i32> @lgc.driver.table__v4i32_i32(i32 60)
; CHECK-NEXT: [[DESC:%.*]] = insertelement <4 x i32> [[WORDS]], i32 805392300, i64 3
; CHECK-NEXT: [[GROUP:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 1)
; CHECK-NEXT: [[STEP:%.*]] = extractelement <4 x i32> [[WORDS]], i64 3
; CHECK-NEXT: [[ID:%.*]] = and i32 [[GROUP]], 4095
; CHECK-NEXT: [[ENTRY:%.*]] = mul i32 [[ID]], [[STEP]]
; CHECK: call void @llvm.amdgcn.raw.buffer.store.v4f32(<4 x float> {{.*}}, <4 x i32> [[DESC]], i32 {{%.*}}, i32 [[ENTRY]], i32 0)
; CHECK-NOT: i32 @lgc.driver.table
; CHECK: call <4 x float> @llvm.amdgcn.raw.buffer.load.v4f32(<4 x i32> [[DESC]], i32 {{%.*}}, i32 [[ENTRY]], i32 1)
; GFX10: buffer_store_dwordx4 {{.*}} offen
; GFX10: buffer_load_dwordx4 {{.*}} glc
; GFX11: buffer_store_b128 {{.*}} offen
; GFX11: buffer_load_b128 {{.*}} glc
; GFX12: buffer_store_b128 {{.*}} scope:SCOPE_SE
; GFX12: buffer_load_b128 {{.*}} scope:SCOPE_SE
; ASM: .ngg_wave_id_en: true
; ASM: .mesh_scratch_memory_size: 0x2000
define void @lgc.shader.MS() {
  %i = call i32 @lgc.user.data__i32_i32(i32 0)
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 %i, i32 %i)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 512, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 0, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 1, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 2, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 3, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 4, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 5, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 6, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> <float 1.0, float 1.0, float 1.0, float 1.0>, i32 258, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v3i32_i32_i32_i32_i32(<3 x i32> zeroinitializer, i32 525, i32 0, i32 0, i32 %i)
  ret void
}
declare i32 @lgc.user.data__i32_i32(i32)
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v3i32_i32_i32_i32_i32(<3 x i32>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.mesh = !{!4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh", !"fragment"}
!2 = !{!"mesh.outputVertices", i32 256}
!3 = !{!"mesh.outputPrimitives", i32 256}
!4 = !{!"workgroupSize", i32 64, i32 1, i32 1}

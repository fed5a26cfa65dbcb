; RUN: lgc-opt -mcpu=gfx1010 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefix=LEGACY %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=NGG,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=NGG,GFX12 %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM10 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM12 %s

; LEGACY: define void @lgc.hw.VS()
; LEGACY: %primitive.id = call i32 @lgc.hw.value__i32_i32(i32 19)
; LEGACY: [[ID:%.*]] = bitcast i32 %primitive.id to float
; LEGACY: call void @llvm.amdgcn.exp.f32(i32 32, i32 1, float [[ID]]
; LEGACY-DAG: !{!".graphics_registers", !".vgt_primitive_id_en", i64 1}

; The last vertex is the provoking one here; of triangles that is the third index.
; NGG: @lgc.ngg.primitive.ids = internal addrspace(3) global [256 x i32] undef
; NGG: distribute:
; NGG: [[ID:%primitive.id]] = call i32 @lgc.hw.value__i32_i32(i32 29)
; NGG: [[WORD:%connectivity]] = call i32 @lgc.hw.value__i32_i32(i32 26)
; GFX11: [[SHIFTED:%.*]] = lshr i32 [[WORD]], 20
; GFX11: [[INDEX:%.*]] = and i32 [[SHIFTED]], 511
; GFX12: [[SHIFTED:%.*]] = lshr i32 [[WORD]], 18
; GFX12: [[INDEX:%.*]] = and i32 [[SHIFTED]], 255
; NGG: [[PLACE:%.*]] = getelementptr inbounds [256 x i32], ptr addrspace(3) @lgc.ngg.primitive.ids, i32 0, i32 [[INDEX]]
; NGG: store i32 [[ID]], ptr addrspace(3) [[PLACE]]
; NGG: fence syncscope("workgroup") release
; NGG: call void @llvm.amdgcn.s.barrier()
; NGG: fence syncscope("workgroup") acquire
; NGG: vertex:
; NGG: [[MINE:%.*]] = getelementptr inbounds [256 x i32], ptr addrspace(3) @lgc.ngg.primitive.ids, i32 0, i32 %thread
; NGG: load i32, ptr addrspace(3) [[MINE]]
; NGG-DAG: !{!".graphics_registers", !".vgt_primitive_id_en", i64 1}
; NGG-DAG: !{!".graphics_registers", !".ngg_disable_provok_reuse", i64 1}

; ASM10: ds_write_b32
; ASM10: s_barrier
; ASM10: ds_read_b32
; ASM10: .lds_size: 0x400
; ASM12: ds_store_b32
; ASM12: s_barrier_signal -1
; ASM12: s_barrier_wait
; ASM12: ds_load_b32
define void @lgc.shader.VS() {
  %id = call i32 @lgc.builtin__i32_i32(i32 25)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %id, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"provokingVertexMode", !"last"}

; RUN: lgc-opt -passes=lgc-lower-builtins,lgc-lower-mesh,early-cse -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=ASM,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=ASM,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefixes=ASM,GFX12 %s

; One wave: a lane writes its vertex to LDS, the first one the primitive; after the barrier lanes
; stand for what they export. Records: position and colour of a vertex (32 bytes),
; indices, layer and an attribute of a primitive.
; CHECK: @lgc.mesh.outputs = internal addrspace(3) global [32 x i32] poison, align 16
; CHECK-LABEL: define void @lgc.hw.GS()
; CHECK-NEXT: mesh:
; CHECK-NEXT: call void @llvm.amdgcn.init.exec(i64 -1)
; CHECK-NEXT: [[LANE:%.*]] = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
; CHECK-NEXT: %is.first = icmp eq i32 [[LANE]], 0
; CHECK: first:
; CHECK-NEXT: store i32 0, ptr addrspace(3) @lgc.mesh.outputs, align 4
; The shader: 1 << 12 | 3.
; CHECK: store i32 4099, ptr addrspace(3) @lgc.mesh.outputs, align 4
; CHECK: [[RECORD:%.*]] = mul i32 [[LANE]], 32
; CHECK: [[VERTEX:%.*]] = getelementptr i8, ptr addrspace(3) @lgc.mesh.outputs, i32 [[RECORD]]
; CHECK: [[POSITION:%.*]] = getelementptr i8, ptr addrspace(3) [[VERTEX]], i32 32
; CHECK: store <4 x float> {{%.*}}, ptr addrspace(3) [[POSITION]], align 16
; CHECK: [[COLOR:%.*]] = getelementptr i8, ptr addrspace(3) [[VERTEX]], i32 16
; CHECK: store <3 x float> {{%.*}}, ptr addrspace(3) [[COLOR]], align 16
; Indices 0, 1, 2: 2 << 20 | 1 << 10.
; CHECK: then:
; CHECK: store i32 2098176, ptr addrspace(3) {{.*}}, align 4
; CHECK: join:
; CHECK-NEXT: fence syncscope("workgroup") release
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: fence syncscope("workgroup") acquire
; CHECK-NEXT: [[LOADED:%.*]] = load i32, ptr addrspace(3) @lgc.mesh.outputs
; CHECK-NEXT: [[COUNTS:%.*]] = call i32 @llvm.amdgcn.readfirstlane.i32(i32 [[LOADED]])
; CHECK-NEXT: %vertices = and i32 [[COUNTS]], 4095
; CHECK-NEXT: %primitives = lshr i32 [[COUNTS]], 12
; CHECK-NEXT: call void @llvm.amdgcn.s.sendmsg(i32 9, i32 [[COUNTS]])
; CHECK-NEXT: [[NONE:%.*]] = icmp eq i32 [[COUNTS]], 0
; CHECK-NEXT: br i1 [[NONE]], label %exit, label %export
; CHECK: icmp ult i32 [[LANE]], %primitives
; CHECK: call void @llvm.amdgcn.struct.buffer.store.v4f32(<4 x float> {{%.*}}, <4 x i32> {{%.*}}, i32 [[LANE]], i32 16,
; CHECK: fence syncscope("agent") release
; CHECK: call void @llvm.amdgcn.exp.row.i32(i32 20, i32 3, i32 {{%.*}}, i32 {{%.*}}, i32 poison, i32 poison, i1 true, i32 0)
; CHECK: icmp ult i32 [[LANE]], %vertices
; CHECK: call void @llvm.amdgcn.struct.buffer.store.v4f32(<4 x float> {{%.*}}, <4 x i32> {{%.*}}, i32 [[LANE]], i32 0,
; CHECK: call void @llvm.amdgcn.exp.row.f32(i32 12, i32 15, float {{%.*}}, float {{%.*}}, float {{%.*}}, float {{%.*}}, i1 true, i32 0)
; CHECK: attributes #0 = { "amdgpu-flat-work-group-size"="32,32" }

; ASM-LABEL: _amdgpu_gs_main:
; ASM: s_mov_b32 exec_lo, -1
; GFX10: ds_write_b128
; GFX11: ds_store_b128
; GFX12: ds_store_b128
; ASM: s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
; GFX10: exp param1 v{{[0-9]+}}, off, off, off
; GFX10: exp prim v{{[0-9]+}}, v{{[0-9]+}}, off, off done{{$}}
; GFX10-DAG: exp pos0 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}} done{{$}}
; GFX10-DAG: exp param0 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, off
; GFX11: buffer_store_b128 {{.*}} idxen offset:16 glc
; GFX11: s_waitcnt_vscnt null, 0x0
; GFX11: exp prim v{{[0-9]+}}, v{{[0-9]+}}, off, off done row_en
; GFX11: exp pos0 {{.*}} done row_en
; GFX12: export prim v{{[0-9]+}}, v{{[0-9]+}}, off, off done row_en
; GFX12: export pos0 {{.*}} done row_en

; ASM: .prim_amp_factor: 0x20
; ASM: .threads_per_subgroup: 0x20
; ASM: .max_verts_per_subgroup: 0x3
; GFX11: .spi_shader_gs_meshlet_dim:
; GFX11-NEXT: .num_thread_x: 0x1f
; GFX11-NEXT: .num_thread_y: 0
; GFX11-NEXT: .num_thread_z: 0
; GFX11-NEXT: .threadgroup_size: 0x1f
; GFX11: .spi_shader_gs_meshlet_exp_alloc:
; GFX11-NEXT: .max_exp_prims: 0x1
; GFX11-NEXT: .max_exp_verts: 0x3
; ASM: .spi_shader_idx_format: 0x2
; ASM: .prim_export_count: 0x1
; ASM: .vgt_draw_prim_payload_en: true
; ASM: .vgt_gs_max_vert_out: 0x3
; ASM: .outprim_type: TriStrip
; ASM: .vgt_reuse_off: true
; GFX10: .gs_fast_launch: 0x1
; GFX11: .gs_fast_launch: 0x2
; GFX12: .gs_fast_launch: 0x1
; ASM: .primgen_en: true
; ASM: .nggSubgroupSize: 0x1
; ASM: .type: Mesh
define void @lgc.shader.MS() "amdgpu-flat-work-group-size"="32,32" {
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 3, i32 1)
  %i = call i32 @lgc.builtin__i32_i32(i32 3)
  %f = uitofp i32 %i to float
  %v = insertelement <4 x float> <float 0.0, float 0.0, float 0.0, float 1.0>, float %f, i32 0
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 512, i32 0, i32 0, i32 %i)
  %c = insertelement <3 x float> zeroinitializer, float %f, i32 1
  call void @lgc.output.store__void_v3f32_i32_i32_i32_i32(<3 x float> %c, i32 0, i32 0, i32 0, i32 %i)
  %zero = icmp eq i32 %i, 0
  br i1 %zero, label %then, label %done
then:
  call void @lgc.output.store__void_v3i32_i32_i32_i32_i32(<3 x i32> <i32 0, i32 1, i32 2>, i32 525, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 7, i32 518, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 2.0, i32 256, i32 0, i32 0, i32 0)
  br label %done
done:
  ret void
}
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
declare i32 @lgc.builtin__i32_i32(i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v3f32_i32_i32_i32_i32(<3 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v3i32_i32_i32_i32_i32(<3 x i32>, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.mesh = !{!4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh", !"fragment"}
!2 = !{!"mesh.outputVertices", i32 3}
!3 = !{!"mesh.outputPrimitives", i32 1}
!4 = !{!"workgroupSize", i32 32, i32 1, i32 1}

; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=CHECK,GFX12 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=ASM,ASM11 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck --check-prefixes=ASM,ASM12 %s

; Export space has to be asked for; all threads meet behind the vertex half.
; CHECK: define void @lgc.hw.GS()
; CHECK: call void @llvm.amdgcn.s.sendmsg(i32 9,
; CHECK: br i1 [[ISVERTEX:%.*]], label %[[VERTEX:vertex.*]], label %end

; Each vertex leaves its four values in LDS, five dwords apart.
; CHECK: [[VERTEX]]:
; CHECK: export:
; CHECK: [[ITEM:%.*]] = mul i32 %thread, 5
; CHECK: [[PLACE:%.*]] = getelementptr inbounds [640 x i32], ptr addrspace(3) @lgc.stream.out.vertices, i32 0, i32 {{%.*}}
; CHECK: store i32 {{%.*}}, ptr addrspace(3) [[PLACE]]
; CHECK: end:

; gfx11: one thread, in order: the first ordered access waits, the last one hands on.
; GFX11: [[ID:%.*]] = and i32 {{.*}}, 4095
; GFX11: stream.out:
; GFX11: [[OLD:%.*]] = call i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2) {{%.*}}, i32 0, i32 0, i32 0, i1 false, i32 16777217, i1 false, i1 false)
; GFX11-NEXT: fence syncscope("workgroup") release
; GFX11: udiv i32 {{%.*}}, 15
; GFX11: call i32 @llvm.umin.i32
; GFX11: call i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2) {{%.*}}, i32 {{%.*}}, i32 0, i32 0, i1 false, i32 16777217, i1 true, i1 true)
; GFX11: call i32 @llvm.amdgcn.ds.add.gs.reg.rtn.i32(i32 {{%.*}}, i32 32)
; GFX11: call i32 @llvm.amdgcn.ds.add.gs.reg.rtn.i32(i32 {{%.*}}, i32 36)

; gfx12: a pair in memory per buffer, tried until the id is the subgroup's.
; GFX12: turn:
; GFX12: [[OLD:%.*]] = call i64 @llvm.amdgcn.global.atomic.ordered.add.b64(ptr addrspace(1) {{%.*}}, i64 {{%.*}})
; GFX12: [[READY:%.*]] = trunc i64 [[OLD]] to i32
; GFX12: icmp eq i32 [[READY]], {{%.*}}
; GFX12: wait:
; GFX12: call void @llvm.amdgcn.s.sleep(i32 8)
; GFX12: atomicrmw umin ptr addrspace(3) {{%.*}} syncscope("wavefront") acq_rel
; GFX12: atomicrmw sub ptr addrspace(1) {{%.*}} syncscope("agent") monotonic
; GFX12: atomicrmw add ptr addrspace(1) {{%.*}}, i64

; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: fence syncscope("workgroup") acquire

; Three vertices of each primitive that fits.
; CHECK: [[ROW:%.*]] = mul i32 %thread, 3
; CHECK: [[NUMBER:%.*]] = add i32 [[ROW]], 0
; CHECK: [[START:%.*]] = mul i32 [[NUMBER]], 20
; CHECK: [[AT:%.*]] = add i32 [[START]], 4
; GFX11: call void @llvm.amdgcn.raw.buffer.store.v3i32(<3 x i32> {{%.*}}, <4 x i32> {{%.*}}, i32 [[AT]], i32 {{%.*}}, i32 3)
; GFX12: call void @llvm.amdgcn.raw.buffer.store.v3i32(<3 x i32> {{%.*}}, <4 x i32> {{%.*}}, i32 [[AT]], i32 {{%.*}}, i32 18)
; CHECK: call void @llvm.amdgcn.raw.buffer.store.i16(
; CHECK: add i32 {{%.*}}, 1
; CHECK: add i32 {{%.*}}, 2
; CHECK: br i1 [[ISVERTEX]]
; CHECK: call void @llvm.amdgcn.exp.f32(i32 12

; CHECK-DAG: !{!".graphics_registers", !".vgt_shader_stages_en", !".ngg_wave_id_en", i64 1}
; CHECK-DAG: !{!".graphics_registers", !".vgt_reuse_off", i64 1}
; CHECK-DAG: !{!".streamout_vertex_strides", !"[1]", i64 5}
; CHECK-NOT: primgen_passthru_no_msg

; The start of the buffer must not come from the scalar cache.
; ASM: ds_store
; ASM11-DAG: global_load_b32 {{.*}} offset:4 glc
; ASM12-DAG: global_load_b32 {{.*}} offset:4 scope:SCOPE_DEV
; ASM11: ds_ordered_count
; ASM11: ds_add_gs_reg_rtn
; ASM12: global_atomic_ordered_add_b64
; ASM: buffer_store_b96
; ASM: exp{{.*}} pos0
define void @lgc.shader.VS() {
  %vertex = call i32 @lgc.hw.value__i32_i32(i32 16)
  %x = uitofp i32 %vertex to float
  %v = insertelement <2 x float> <float 1.0, float poison>, float %x, i32 1
  %half = fptrunc float %x to half
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.xfb.store__void_v2f32_i32_i32_i32(<2 x float> %v, i32 1, i32 8, i32 0)
  call void @lgc.xfb.store__void_i32_i32_i32_i32(i32 %vertex, i32 1, i32 4, i32 0)
  call void @lgc.xfb.store__void_f16_i32_i32_i32(half %half, i32 1, i32 16, i32 0)
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.xfb.store__void_v2f32_i32_i32_i32(<2 x float>, i32, i32, i32)
declare void @lgc.xfb.store__void_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.xfb.store__void_f16_i32_i32_i32(half, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{!"xfb.enabled", i32 1}
!3 = !{!"xfb.strides", i32 0, i32 20, i32 0, i32 0}

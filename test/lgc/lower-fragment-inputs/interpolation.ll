; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1100 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX11

; Inputs are numbered densely in the order of the attributes. Location 3 is interpolated with 16 bits, 5 is flat, 7 is not
; written by the vertex shader, 9 is per vertex.
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: %PerspCenter = call <2 x float> @lgc.hw.value__v2f32_i32(i32 [[#]])
; CHECK: %PrimMask = call i32 @lgc.hw.value__i32_i32(i32 [[#]])
; GFX10: [[P:%.*]] = call float @llvm.amdgcn.interp.p1(float {{.*}}, i32 1, i32 0, i32 %PrimMask)
; GFX10: call float @llvm.amdgcn.interp.p2(float [[P]], float {{.*}}, i32 1, i32 0, i32 %PrimMask)
; GFX10: [[H:%.*]] = call float @llvm.amdgcn.interp.p1.f16(float {{.*}}, i32 0, i32 1, i1 false, i32 %PrimMask)
; GFX10: call half @llvm.amdgcn.interp.p2.f16(float [[H]], float {{.*}}, i32 0, i32 1, i1 false, i32 %PrimMask)
; GFX10: call float @llvm.amdgcn.interp.mov(i32 2, i32 2, i32 2, i32 %PrimMask)
; GFX11: [[P:%.*]] = call float @llvm.amdgcn.lds.param.load(i32 1, i32 0, i32 %PrimMask)
; GFX11: [[T:%.*]] = call float @llvm.amdgcn.interp.inreg.p10(float [[P]], float {{.*}}, float [[P]])
; GFX11: call float @llvm.amdgcn.interp.inreg.p2(float [[P]], float {{.*}}, float [[T]])
; GFX11: [[P:%.*]] = call float @llvm.amdgcn.lds.param.load(i32 0, i32 1, i32 %PrimMask)
; GFX11: [[T:%.*]] = call float @llvm.amdgcn.interp.inreg.p10.f16(float [[P]], float {{.*}}, float [[P]], i1 false)
; GFX11: call half @llvm.amdgcn.interp.inreg.p2.f16(float [[P]], float {{.*}}, float [[T]], i1 false)
; GFX11: [[P:%.*]] = call float @llvm.amdgcn.lds.param.load(i32 2, i32 2, i32 %PrimMask)
; GFX11: [[W:%.*]] = bitcast float [[P]] to i32
; GFX11: [[D:%.*]] = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 [[W]], i32 0, i32 15, i32 15, i1 true)
; GFX11: call i32 @llvm.amdgcn.wqm.i32(i32 [[D]])
; CHECK: store i32 0, ptr addrspace(1) %out
; In a branch the lanes of the quad may be off.
; CHECK: branch:
; GFX11: [[D:%.*]] = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 {{.*}}, i32 85, i32 15, i32 15, i1 true)
; GFX11: call i32 @llvm.amdgcn.strict.wqm.i32(i32 [[D]])
; GFX10: call float @llvm.amdgcn.interp.mov(i32 0, i32 0, i32 3, i32 %PrimMask)
; GFX10: call float @llvm.amdgcn.interp.mov(i32 2, i32 0, i32 3, i32 %PrimMask)
; GFX10: call float @llvm.amdgcn.interp.mov(i32 0, i32 0, i32 3, i32 %PrimMask)
; CHECK: icmp eq i32 %v, 1
; GFX10: call float @llvm.amdgcn.interp.mov(i32 1, i32 0, i32 3, i32 %PrimMask)
; CHECK: icmp eq i32 %v, 2
; CHECK-NOT: call {{.*}}@lgc.input

define void @lgc.shader.VS() {
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 2, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 3, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 5, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 9, i32 0, i32 0, i32 poison)
  ret void
}

define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %smooth = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 2, i32 1, i32 0, <2 x float> %ij)
  %half = call half @lgc.input.interpolate__f16_i32_i32_i32_v2f32(i32 3, i32 0, i32 0, <2 x float> %ij)
  %flat = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 5, i32 2, i32 0, i32 poison)
  %unwritten = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 7, i32 2, i32 0, i32 poison)
  store volatile float %smooth, ptr addrspace(1) %out
  store volatile half %half, ptr addrspace(1) %out
  store volatile i32 %flat, ptr addrspace(1) %out
  store i32 %unwritten, ptr addrspace(1) %out
  %c = fcmp olt float %smooth, 1.0
  br i1 %c, label %branch, label %end
branch:
  %v1 = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 9, i32 0, i32 0, i32 1)
  %v = load volatile i32, ptr addrspace(1) %out
  %vn = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 9, i32 0, i32 0, i32 %v)
  store volatile i32 %v1, ptr addrspace(1) %out
  store volatile i32 %vn, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)
declare float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>)
declare half @lgc.input.interpolate__f16_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>)
declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}

; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[0]", !".offset", i64 2}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[0]", !".flat_shade", i64 0}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[1]", !".offset", i64 3}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[1]", !".fp16_interp_mode", i64 1}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[1]", !".attr0_valid", i64 1}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[2]", !".offset", i64 5}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[2]", !".flat_shade", i64 1}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[3]", !".offset", i64 41}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[3]", !".flat_shade", i64 1}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[3]", !".rotate_pc_ptr", i64 1}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_in_control", !".num_interps", i64 4}
; CHECK-DAG: !{!".num_interpolants", i64 4}

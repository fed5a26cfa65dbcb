; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1100 %s -o - | FileCheck %s --check-prefixes=CHECK,GFX11

; Vertices in the hardware's order (256 + number, lgc/VertexOrder.h): values are passed through as they are, and not rotated.
; CHECK-LABEL: define void @lgc.shader.FS()
; GFX10: call float @llvm.amdgcn.interp.mov(i32 2, i32 0, i32 0, i32 %PrimMask)
; GFX10: call float @llvm.amdgcn.interp.mov(i32 1, i32 0, i32 0, i32 %PrimMask)
; GFX11: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 {{.*}}, i32 0, i32 15, i32 15, i1 true)
; GFX11: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 {{.*}}, i32 170, i32 15, i32 15, i1 true)
define void @lgc.shader.VS() {
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 0.0, i32 2, i32 0, i32 0, i32 poison)
  ret void
}

define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %first = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 2, i32 0, i32 0, i32 256)
  %last = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 2, i32 0, i32 0, i32 258)
  store volatile i32 %first, ptr addrspace(1) %out
  store volatile i32 %last, ptr addrspace(1) %out
  ret void
}

declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}

; CHECK-NOT: rotate_pc_ptr
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[0]", !".offset", i64 34}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[0]", !".flat_shade", i64 1}
; CHECK-NOT: rotate_pc_ptr

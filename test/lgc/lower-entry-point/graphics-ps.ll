; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1030 -verify-each %s -o - | FileCheck %s --check-prefixes=CHECK,PLAIN
; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1100 -verify-each %s -o - | FileCheck %s --check-prefixes=CHECK,PADDED
; RUN: lgc-opt -passes=lgc-lower-entry-point -mcpu=gfx1201 -verify-each %s -o - | FileCheck %s --check-prefixes=CHECK,PLAIN

; A fragment shader has all sixteen inputs; LLVM gives registers to those that are used. gfx1100 and
; gfx1102 need all user SGPRs in wave32. A module with this stage alone has no geometry registers.
; CHECK: define amdgpu_ps void @_amdgpu_ps_main(i32 inreg noundef %GlobalTable, i32 inreg noundef %SampleInfo, i32 inreg noundef %userData9,
; PADDED-SAME: i32 inreg noundef %unused, {{.*}} i32 inreg noundef %unused12,
; CHECK-SAME: i32 inreg noundef %primMask, i32 inreg noundef %provokingVtxInfo, <2 x float> noundef %perspSample, <2 x float> noundef %perspCenter, <2 x float> noundef %perspCentroid, <3 x float> noundef %perspPullModel, <2 x float> noundef %linearSample, <2 x float> noundef %linearCenter, <2 x float> noundef %linearCentroid, float noundef %lineStipple, float noundef %posX, float noundef %posY, float noundef %posZ, float noundef %posW, i32 noundef %frontFace, i32 noundef %ancillary, i32 noundef %sampleCoverage, i32 noundef %posFixedPt)
; CHECK: store volatile <3 x float> %perspPullModel

; The flags of inputs are for lgc-lower-ps-inputs to set.
; CHECK: .graphics_registers\83\B6.ps_load_provoking_vtx\C3\B2.spi_ps_input_addr\DE\00\10\AE.ancillary_ena\C2
; CHECK-SAME: .spi_ps_input_ena\DE\00\10\AE.ancillary_ena\C2{{.*}}.sample_coverage_ena\C2\B0.hardware_stages
; PLAIN-SAME: .user_sgprs\03
; PADDED-SAME: .user_sgprs\10
; CHECK-SAME: .wavefront_size {{.*}}.shaders\81\A6.pixel
; CHECK-NOT: .vertex
define void @lgc.shader.FS() {
  %pull = call <3 x float> @lgc.hw.value__v3f32_i32(i32 34)
  %mask = call i32 @lgc.hw.value__i32_i32(i32 13)
  %vertex = call i32 @lgc.hw.value__i32_i32(i32 15)
  %samples = call i32 @lgc.special.user.data__i32_i32(i32 268435480)
  %data = call i32 @lgc.user.data__i32_i32(i32 9)
  store volatile <3 x float> %pull, ptr addrspace(3) null
  store volatile i32 %mask, ptr addrspace(3) null
  store volatile i32 %vertex, ptr addrspace(3) null
  store volatile i32 %samples, ptr addrspace(3) null
  store volatile i32 %data, ptr addrspace(3) null
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
declare <3 x float> @lgc.hw.value__v3f32_i32(i32)
declare i32 @lgc.special.user.data__i32_i32(i32)
declare i32 @lgc.user.data__i32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.shader.fragment = !{!2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"waveSize", i32 32}

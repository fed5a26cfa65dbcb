; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=obj %s -o - | pal-verify --target gfx1010 --dump - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=obj %s -o - | pal-verify --target gfx1030 --dump - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=obj %s -o - | pal-verify --target gfx1100 --dump - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=obj %s -o - | pal-verify --target gfx1150 --dump - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1200 -compile -filetype=obj %s -o - | pal-verify --target gfx1200 --dump - | FileCheck --check-prefixes=CHECK,GFX12 %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=obj %s -o - | pal-verify --target gfx1201 --dump - | FileCheck --check-prefixes=CHECK,GFX12 %s

; What the driver reads of a small shader: system values in the compute registers, one root entry
; behind the global table and the pointer to the group counts.
; CHECK: _amdgpu_cs_main
; CHECK: .api: Vulkan
; CHECK-NEXT: .compute_registers:
; CHECK-NEXT: .tg_size_en: false
; CHECK-NEXT: .tgid_x_en: true
; CHECK-NEXT: .tgid_y_en: true
; CHECK-NEXT: .tgid_z_en: false
; CHECK-NEXT: .tidig_comp_cnt: 1
; CHECK: .entry_point_symbol: _amdgpu_cs_main
; CHECK: .float_mode: 192
; GFX10: .ieee_mode: false
; GFX11: .ieee_mode: false
; GFX12-NOT: .ieee_mode
; CHECK: .lds_size: 0
; CHECK: .scratch_en: false
; CHECK: .threadgroup_dimensions: [8, 8, 1]
; CHECK: .user_data_reg_map: [0x10000000, 0x10000006, 0xffffffff, 3]
; CHECK-NEXT: .user_sgprs: 4
; CHECK: .wavefront_size: 64
; CHECK: .internal_pipeline_hash: [1, 2]
; CHECK: .api_shader_hash: [3, 4]
; CHECK-NEXT: .hardware_mapping: [.cs]
; CHECK: .spill_threshold: 0xffff
; CHECK-NEXT: .type: Cs
; CHECK-NEXT: .user_data_limit: 4
; CHECK: amdpal.version: [3, 0]
; CHECK: ok
define void @lgc.shader.CS() {
  %id = call <3 x i32> @lgc.builtin__v3i32_i32(i32 4)
  %n = call <3 x i32> @lgc.builtin__v3i32_i32(i32 1)
  %x = extractelement <3 x i32> %id, i32 0
  %y = extractelement <3 x i32> %id, i32 1
  %nx = extractelement <3 x i32> %n, i32 0
  %low = call i32 @lgc.user.data__i32_i32(i32 3)
  %p = inttoptr i32 %low to ptr addrspace(1)
  %row = mul i32 %y, %nx
  %i = add i32 %row, %x
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %nx, ptr addrspace(1) %q
  ret void
}
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
declare i32 @lgc.user.data__i32_i32(i32)
!lgc.target = !{!0}
!lgc.compute = !{!1, !2}
!lgc.options = !{!3}
!0 = !{!"gfx1100"}
!1 = !{!"workgroupSize", i32 8, i32 8, i32 1}
!2 = !{!"shaderHash", i64 3, i64 4}
!3 = !{!"pipelineHash", i64 1, i64 2}

; RUN: lgc-opt -passes=lgc-lower-entry-point,lgc-lower-ps-inputs %s -o - | FileCheck %s
; RUN: lgc-opt -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck --check-prefix=DUMP %s

; POS_W (bit 11) is the only input that is used, and the hardware wants a perspective input with it.
; CHECK: define amdgpu_ps void @_amdgpu_ps_main({{.*}}) [[ATTR:#[0-9]+]]
; CHECK: attributes [[ATTR]] = {{.*}}"InitialPSInputAddr"="2050"
; DUMP: .spi_ps_input_addr:
; DUMP: .persp_center_ena: true
; DUMP: .pos_w_float_ena: true
; DUMP: .pos_x_float_ena: false
; DUMP: .spi_ps_input_ena:
; DUMP: .persp_center_ena: true
; DUMP: .persp_sample_ena: false
; DUMP: .pos_w_float_ena: true
define void @lgc.shader.FS() {
  %w = call float @lgc.hw.value__f32_i32(i32 42)
  store volatile float %w, ptr addrspace(1) null
  ret void
}
declare float @lgc.hw.value__f32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"fragment"}

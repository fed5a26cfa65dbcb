; RUN: lgc-opt -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck %s
; RUN: lgc-opt -compile -filetype=obj %s -o - | strings -n 8 | FileCheck --check-prefix=TEXT %s

; Listing and IR as sections that are not loaded (flags 0).
; CHECK-DAG: {{[0-9]+}} {{ *}}1 {{ *}}0 {{ *}}{{[0-9]+ +1}} .AMDGPU.disasm
; CHECK-DAG: {{[0-9]+}} {{ *}}1 {{ *}}0 {{ *}}{{[0-9]+ +1}} .AMDGPU.comment.llvmir
; CHECK: _amdgpu_cs_disasm
; CHECK: ok
; TEXT-DAG: s_endpgm
; TEXT-DAG: define amdgpu_cs void @_amdgpu_cs_main
define void @lgc.shader.CS() {
  ret void
}
!lgc.target = !{!0}
!lgc.options = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"includeIr", i32 1}
!2 = !{!"includeDisassembly", i32 1}

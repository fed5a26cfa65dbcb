; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck --check-prefixes=CHECK,PLAIN %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck --check-prefixes=CHECK,PAD %s
; RUN: lgc-opt -mcpu=gfx1101 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck --check-prefixes=CHECK,PLAIN %s
; RUN: lgc-opt -mcpu=gfx1102 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck --check-prefixes=CHECK,PAD %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck --check-prefixes=CHECK,PLAIN %s

; A workgroup of 32 invocations is one wave32. gfx1100 and gfx1102 load all 16 user SGPRs then.
; fp32 keeps denormals and rounds toward zero, fp16/64 flush.
; CHECK: .float_mode: 51
; PLAIN: .user_data_reg_map: [0x10000000, 2]
; PLAIN: .user_sgprs: 2
; PAD: .user_data_reg_map: [0x10000000, 2, 0xffffffff,{{.*}}0xffffffff]
; PAD: .user_sgprs: 16
; CHECK: .wavefront_size: 32
define void @lgc.shader.CS() {
  %low = call i32 @lgc.user.data__i32_i32(i32 2)
  %p = inttoptr i32 %low to ptr addrspace(1)
  store i32 1, ptr addrspace(1) %p
  ret void
}
declare i32 @lgc.user.data__i32_i32(i32)
!lgc.target = !{!0}
!lgc.compute = !{!1, !2, !3}
!0 = !{!"gfx1100"}
!1 = !{!"workgroupSize", i32 32, i32 1, i32 1}
!2 = !{!"fp32", !"roundTowardZero"}
!3 = !{!"fp16", !"flushDenorms"}

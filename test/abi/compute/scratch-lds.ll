; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=obj %s -o - | pal-verify --dump - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %s -o - | FileCheck --check-prefix=GFX10 %s
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm %s -o - | FileCheck --check-prefix=GFX11 %s

; 2000 bytes of scratch in units of 16, 1000 bytes of LDS in units of 512.
; CHECK: .lds_size: 1024
; CHECK: .scratch_en: true
; CHECK-NEXT: .scratch_memory_size: 2{{[0-9][0-9][0-9]$}}
; gfx10 reads the scratch descriptor from the global table, 16 bytes in, and adds the wave's offset
; from the SGPR behind the last argument (s3: global table, user data, workgroup id). gfx11 has
; flat scratch set up by the hardware.
; GFX10: s_load_dwordx4 s[{{[0-9:]+}}], s[{{[0-9:]+}}], 0x10
; GFX10: s_add_u32 s{{[0-9]+}}, s{{[0-9]+}}, s3
; GFX10: buffer_store_dword
; GFX11: scratch_store_b32
@lds = internal addrspace(3) global [250 x i32] undef
define void @lgc.shader.CS() {
  %a = alloca [500 x i32], addrspace(5)
  %id = call <3 x i32> @lgc.builtin__v3i32_i32(i32 4)
  %x = extractelement <3 x i32> %id, i32 0
  %low = call i32 @lgc.user.data__i32_i32(i32 1)
  %g = inttoptr i32 %low to ptr addrspace(1)
  %i = load i32, ptr addrspace(1) %g
  %p = getelementptr i32, ptr addrspace(5) %a, i32 %i
  store i32 %x, ptr addrspace(5) %p
  %q = getelementptr i32, ptr addrspace(5) %a, i32 %x
  %v = load i32, ptr addrspace(5) %q
  %l = getelementptr i32, ptr addrspace(3) @lds, i32 %v
  store volatile i32 %v, ptr addrspace(3) %l
  ret void
}
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
declare i32 @lgc.user.data__i32_i32(i32)
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"workgroupSize", i32 64, i32 1, i32 1}

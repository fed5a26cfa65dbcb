; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=asm %s -o - | FileCheck %s --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %s -o - | FileCheck %s --check-prefixes=CHECK,GFX10
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=asm %s -o - | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm %s -o - | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %s -o - | FileCheck %s --check-prefix=INDEX
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck %s --check-prefix=INDEX
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=obj %s -o %t.elf
; RUN: llvm-readelf -r -s %t.elf | FileCheck %s --check-prefix=ELF
; RUN: pal-verify %t.elf

; Places of bindings are in the offsets of scalar loads, marked by labels; an array's is added to
; the index, that of push constants with an index to the address of the spill table.
; CHECK-LABEL: {{^}}_amdgpu_cs_main:
; CHECK: kiln.at.0.table.0.1:
; GFX10-NEXT: s_load_dwordx4 s[{{[0-9:]+}}], s[{{[0-9:]+}}], 0x0
; GFX11-NEXT: s_load_b128 s[{{[0-9:]+}}], s[{{[0-9:]+}}], 0x0
; CHECK: kiln.at.1.table.0.2:
; GFX10-NEXT: s_load_dwordx4 s[{{[0-9:]+}}], s[{{[0-9:]+}}], 0x10
; GFX11-NEXT: s_load_b128 s[{{[0-9:]+}}], s[{{[0-9:]+}}], 0x10
; CHECK-NOT: kiln.at
; CHECK: s_endpgm
; INDEX: s_lshl4_add_u32 s[[#INDEX:]], s{{[0-9]+}}, kiln.table.1.7@abs32@lo
; INDEX: s_load_{{dwordx4|b128}} s[{{[0-9:]+}}], s[{{[0-9:]+}}], s[[#INDEX]] offset:0x0

; ELF: Relocation section '.rel.text'
; ELF-DAG: R_AMDGPU_ABS32_LO {{.*}} kiln.root.2
; ELF-DAG: R_AMDGPU_ABS32_LO {{.*}} kiln.table.1.7
; ELF-DAG: 000000e0 Unknown {{.*}} kiln.table.0.1
; ELF-DAG: 000000e0 Unknown {{.*}} kiln.table.0.2
; ELF: Symbol table
; ELF-NOT: kiln.at
define void @lgc.shader.CS() {
  %i = call i32 @lgc.builtin__i32_i32(i32 3)
  %h1 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 1, i32 0)
  %b1 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h1, i32 0)
  %h2 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 2, i32 1)
  %b2 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h2, i32 0)
  %p = call ptr addrspace(4) @lgc.push.const__p4()
  %index = load i32, ptr addrspace(4) %p
  %pd = getelementptr i32, ptr addrspace(4) %p, i32 %index
  %d = load i32, ptr addrspace(4) %pd
  %h3 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 1, i32 7, i32 %index)
  %b3 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h3, i32 0)
  %q1 = getelementptr i32, ptr addrspace(7) %b1, i32 %i
  %q2 = getelementptr i32, ptr addrspace(7) %b2, i32 %i
  %q3 = getelementptr i32, ptr addrspace(7) %b3, i32 %i
  %v1 = load i32, ptr addrspace(7) %q1
  %v3 = load i32, ptr addrspace(7) %q3
  %sum = add i32 %v1, %v3
  %sum2 = add i32 %sum, %d
  store i32 %sum2, ptr addrspace(7) %q2
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32) memory(none)
declare ptr addrspace(4) @lgc.push.const__p4() memory(none)
declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32) memory(none)
declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32) memory(none)

!lgc.target = !{!0}
!lgc.part = !{!1}
!lgc.compute = !{!2}
!lgc.user.data = !{!3, !4, !5}
!0 = !{!"gfx1100"}
!1 = !{!"relocatable", i32 1}
!2 = !{!"workgroupSize", i32 64, i32 1, i32 1}
!3 = !{!"DescriptorTableVaPtr", i32 1, i32 0, i32 0, i32 0, i32 0, !6, !7}
!4 = !{!"DescriptorTableVaPtr", i32 1, i32 1, i32 1, i32 0, i32 0, !8}
!5 = !{!"PushConst", i32 16, i32 2, i32 0, i32 0, i32 0}
!6 = !{!"DescriptorBuffer", i32 4, i32 0, i32 0, i32 1, i32 0}
!7 = !{!"DescriptorBuffer", i32 8, i32 4, i32 0, i32 2, i32 0}
!8 = !{!"DescriptorBuffer", i32 32, i32 0, i32 1, i32 7, i32 0}

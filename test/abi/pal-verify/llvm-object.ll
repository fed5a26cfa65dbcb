; What stock LLVM emits for a compute shader with complete metadata is clean on every family, and
; comes out of our readers and writers byte for byte.
; RUN: llc -mcpu=gfx1010 -filetype=obj %s -o %t.1010
; RUN: llc -mcpu=gfx1030 -filetype=obj %s -o %t.1030
; RUN: llc -mcpu=gfx1100 -filetype=obj %s -o %t.1100
; RUN: llc -mcpu=gfx1150 -filetype=obj %s -o %t.1150
; RUN: llc -mcpu=gfx1201 -filetype=obj %s -o %t.1201
; RUN: pal-verify --target gfx1010 --rewrite %t.copy %t.1010 && cmp %t.copy %t.1010
; RUN: pal-verify --target gfx1030 --rewrite %t.copy %t.1030 && cmp %t.copy %t.1030
; RUN: pal-verify --target 11.0 --rewrite %t.copy %t.1100 && cmp %t.copy %t.1100
; RUN: pal-verify --target=gfx1150 --rewrite=%t.copy %t.1150 && cmp %t.copy %t.1150
; RUN: pal-verify --target gfx1201 --rewrite %t.copy %t.1201 && cmp %t.copy %t.1201
; RUN: pal-verify --dump - < %t.1100 | FileCheck %s --check-prefix=DUMP
; RUN: not pal-verify --target gfx1100 %t.1100 %t.1201 | FileCheck %s --check-prefix=TARGET
; RUN: not pal-verify --target gfx900 %t.1100 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not pal-verify %s | FileCheck %s --check-prefix=TEXT

; DUMP: target: gfx1100, e_flags 0x41
; DUMP: 256 .text
; DUMP: _amdgpu_cs_main
; DUMP: .compute_registers:
; DUMP: .hardware_stages:
; DUMP-NEXT: .cs:
; DUMP: .threadgroup_dimensions: [64, 1, 1]
; DUMP: .wavefront_size: 32
; DUMP: amdpal.version: [3, 0]
; DUMP: <stdin>: ok

; TARGET: .1100: ok
; TARGET-NEXT: .1201: elf-target: ELF header: code for gfx1201, expected gfx1100

; UNKNOWN: pal-verify: option '--target': unknown target 'gfx900'

; TEXT: elf-format: ELF header: wrong magic number

target triple = "amdgcn-amd-amdpal"

@table = private addrspace(4) constant [4 x i32] [i32 1, i32 5, i32 9, i32 11]

define amdgpu_cs void @_amdgpu_cs_main(i32 inreg %globalTable, i32 inreg %entry0, <3 x i32> inreg %wg, i32 %id) #0 {
  %address = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 %id
  %value = load i32, ptr addrspace(4) %address
  store i32 %value, ptr addrspace(1) null
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" "target-features"="+wavefrontsize32" }

; MsgPack, as dumped above.
!amdgpu.pal.metadata.msgpack = !{!0}
!0 = !{!"\82\ae\61\6d\64\70\61\6c\2e\76\65\72\73\69\6f\6e\92\03\00\b0\61\6d\64\70\61\6c\2e\70\69\70\65\6c\69\6e\65\73\91\88\a4\2e\61\70\69\a6\56\75\6c\6b\61\6e\a5\2e\74\79\70\65\a2\43\73\b7\2e\69\6e\74\65\72\6e\61\6c\5f\70\69\70\65\6c\69\6e\65\5f\68\61\73\68\92\cf\00\00\00\12\34\56\78\90\22\b0\2e\75\73\65\72\5f\64\61\74\61\5f\6c\69\6d\69\74\01\b0\2e\73\70\69\6c\6c\5f\74\68\72\65\73\68\6f\6c\64\cd\ff\ff\a8\2e\73\68\61\64\65\72\73\81\a8\2e\63\6f\6d\70\75\74\65\82\b0\2e\61\70\69\5f\73\68\61\64\65\72\5f\68\61\73\68\92\01\02\b1\2e\68\61\72\64\77\61\72\65\5f\6d\61\70\70\69\6e\67\91\a3\2e\63\73\b0\2e\68\61\72\64\77\61\72\65\5f\73\74\61\67\65\73\81\a3\2e\63\73\85\af\2e\77\61\76\65\66\72\6f\6e\74\5f\73\69\7a\65\20\ab\2e\66\6c\6f\61\74\5f\6d\6f\64\65\cc\c0\ab\2e\75\73\65\72\5f\73\67\70\72\73\02\b2\2e\75\73\65\72\5f\64\61\74\61\5f\72\65\67\5f\6d\61\70\dc\00\10\ce\10\00\00\00\00\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\ce\ff\ff\ff\ff\b7\2e\74\68\72\65\61\64\67\72\6f\75\70\5f\64\69\6d\65\6e\73\69\6f\6e\73\93\40\01\01\b2\2e\63\6f\6d\70\75\74\65\5f\72\65\67\69\73\74\65\72\73\85\aa\2e\74\67\69\64\5f\78\5f\65\6e\c3\aa\2e\74\67\69\64\5f\79\5f\65\6e\c3\aa\2e\74\67\69\64\5f\7a\5f\65\6e\c3\ab\2e\74\67\5f\73\69\7a\65\5f\65\6e\c2\af\2e\74\69\64\69\67\5f\63\6f\6d\70\5f\63\6e\74\00"}

; Without our metadata, LLVM's own is version 2 without a version number.
; RUN: llc -mcpu=gfx1100 -filetype=obj %s -o %t
; RUN: not pal-verify %t | FileCheck %s
; CHECK: metadata-format: amdpal.version: missing

target triple = "amdgcn-amd-amdpal"

define amdgpu_cs void @_amdgpu_cs_main() {
  ret void
}

; RUN: lgc-opt -passes=lgc-lower-subgroup -verify-each %s -o %t.ll
; RUN: FileCheck --input-file=%t.ll %s
; RUN: llc-22 -mtriple=amdgcn-amd-amdpal -mcpu=gfx1100 -mattr=+wavefrontsize32 < %t.ll | FileCheck --check-prefix=ASM %s
; Reductions: one step per power of two, in whole wave mode.

; CHECK-LABEL: define amdgpu_ps i32 @cluster4(
; CHECK-NEXT: [[ALL:%.*]] = call i32 @llvm.amdgcn.set.inactive.i32(i32 %x, i32 0)
; CHECK-NEXT: [[X1:%.*]] = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 [[ALL]], i32 353,
; CHECK-NEXT: [[S1:%.*]] = add i32 [[X1]], [[ALL]]
; CHECK-NEXT: [[X2:%.*]] = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 [[S1]], i32 354,
; CHECK-NEXT: [[S2:%.*]] = add i32 [[X2]], [[S1]]
; CHECK-NEXT: call i32 @llvm.amdgcn.strict.wwm.i32(i32 [[S2]])
; ASM-LABEL: cluster4:
; ASM: v_add_nc_u32_dpp {{.*}} row_xmask:1
; ASM: v_add_nc_u32_dpp {{.*}} row_xmask:2
define amdgpu_ps i32 @cluster4(i32 %x) {
  %r = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 0, i32 0, i32 %x, i32 4)
  ret i32 %r
}

; The identity of a minimum is infinity; the whole wave's result is uniform.
; CHECK-LABEL: define amdgpu_ps float @min(
; CHECK: @llvm.amdgcn.set.inactive.i32(i32 {{%.*}}, i32 2139095040)
; CHECK-COUNT-5: @llvm.minnum.f32
; CHECK: @llvm.amdgcn.strict.wwm.i32
; CHECK: @llvm.amdgcn.readfirstlane.i32
define amdgpu_ps float @min(float %x) {
  %r = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 6, i32 0, float %x, i32 0)
  ret float %r
}

; An exclusive sum is the inclusive one without the own value.
; CHECK-LABEL: define amdgpu_ps i32 @exclusive(
; CHECK: [[ALL:%.*]] = call i32 @llvm.amdgcn.set.inactive.i32(i32 %x, i32 0)
; CHECK: [[SUM:%.*]] = add
; CHECK: [[R:%.*]] = sub i32 {{%.*}}, [[ALL]]
; CHECK-NEXT: call i32 @llvm.amdgcn.strict.wwm.i32(i32 [[R]])
define amdgpu_ps i32 @exclusive(i32 %x) {
  %r = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 0, i32 2, i32 %x, i32 0)
  ret i32 %r
}

; CHECK-LABEL: define i1 @xor(
; CHECK: call i32 @llvm.amdgcn.ballot.i32(i1 %x)
; CHECK-NEXT: @llvm.ctpop.i32
; CHECK-NEXT: trunc
; CHECK-NEXT: ret
define i1 @xor(i1 %x) {
  %r = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 12, i32 0, i1 %x, i32 0)
  ret i1 %r
}

declare i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32, i32, i32, i32)
declare float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32, i32, float, i32)
declare i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32, i32, i1, i32)
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"waveSize", i32 32}

; RUN: lgc-opt -passes=lgc-lower-subgroup -verify-each -mcpu=gfx1100 %s -o - | FileCheck %s
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefix=ASM
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1201 %s -o - | FileCheck %s --check-prefix=ASM

; In fragment shaders derivatives and quad operations are computed with helpers; elections, votes, ballots and reductions
; leave them out.
; CHECK-LABEL: @lgc.shader.FS
; CHECK: [[D:%.*]] = call i32 @llvm.amdgcn.update.dpp.i32(
; CHECK: bitcast i32 [[D]] to float
; CHECK: call i32 @llvm.amdgcn.wqm.i32(
; CHECK: fsub float
; CHECK: [[OWN:%.*]] = zext i1 %c to i32
; CHECK: call i32 @llvm.amdgcn.update.dpp.i32({{.*}}[[OWN]], i32 177,
; CHECK: call i32 @llvm.amdgcn.update.dpp.i32({{.*}}[[OWN]], i32 78,
; CHECK: call i32 @llvm.amdgcn.update.dpp.i32({{.*}}[[OWN]], i32 27,
; CHECK: icmp ne i32
; CHECK: [[LIVE:%.*]] = call i1 @llvm.amdgcn.live.mask()
; CHECK: [[ALIVE:%.*]] = select i1 [[LIVE]], i1 true, i1 false
; CHECK: call i64 @llvm.amdgcn.ballot.i64(i1 [[ALIVE]])
; CHECK: [[LIVE:%.*]] = call i1 @llvm.amdgcn.live.mask()
; CHECK: [[VALUE:%.*]] = select i1 [[LIVE]], i32 %x, i32 0
; CHECK: call i32 @llvm.amdgcn.set.inactive.i32(i32 [[VALUE]], i32 0)
; CHECK: [[FIRST:%.*]] = call i64 @llvm.cttz.i64(
; CHECK: call i32 @llvm.amdgcn.readlane.i32(
; ASM: s_wqm_b64 exec, exec
; ASM: {{exp|export}} mrt0 {{.*}} done
define void @lgc.shader.FS() {
  %f = call float @lgc.hw.value__f32_i32(i32 39)
  %d = call float @lgc.derivative__f32_i32_f32(i32 0, float %f)
  %x = bitcast float %f to i32
  %c = icmp eq i32 %x, 5
  %quad = call i1 @lgc.subgroup.quad.any__i1_i1(i1 %c)
  %elected = call i1 @lgc.subgroup.elect__i1()
  %sum = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 0, i32 0, i32 %x, i32 0)
  %first = call i32 @lgc.subgroup.broadcast.first__i32_i32(i32 %x)
  %both = and i1 %quad, %elected
  %t = add i32 %sum, %first
  %tf = uitofp i32 %t to float
  %r = select i1 %both, float %tf, float %d
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %r, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
declare float @lgc.hw.value__f32_i32(i32)
declare float @lgc.derivative__f32_i32_f32(i32, float)
declare i1 @lgc.subgroup.quad.any__i1_i1(i1)
declare i1 @lgc.subgroup.elect__i1()
declare i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32, i32, i32, i32)
declare i32 @lgc.subgroup.broadcast.first__i32_i32(i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.color.targets = !{!2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{i32 0, !"R32.float", i32 15, i32 0, i32 0}

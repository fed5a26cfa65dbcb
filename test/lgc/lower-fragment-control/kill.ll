; RUN: split-file %s %t
; RUN: lgc-opt -passes=lgc-lower-fragment-control -verify-each %t/kill.ll -o - | FileCheck %t/kill.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-control -verify-each %t/helpers.ll -o - | FileCheck %t/helpers.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-control -verify-each -mcpu=gfx1100 %t/dual.ll -o - | FileCheck %t/dual.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-control -verify-each %t/nested.ll -o - | FileCheck %t/nested.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-control -verify-each %t/remember.ll -o - | FileCheck %t/remember.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-control,lgc-lower-subgroup -verify-each %t/remember.ll -o - | FileCheck %t/remember.ll --check-prefix=SUBGROUP
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1030 %t/remember.ll -o - | FileCheck %t/remember.ll --check-prefix=ASM
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1201 %t/remember.ll -o - | FileCheck %t/remember.ll --check-prefix=ASM
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1010 %t/helpers.ll -o - | FileCheck %t/helpers.ll --check-prefix=ASM
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1030 %t/helpers.ll -o - | FileCheck %t/helpers.ll --check-prefix=ASM
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1100 %t/helpers.ll -o - | FileCheck %t/helpers.ll --check-prefix=ASM
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1150 %t/helpers.ll -o - | FileCheck %t/helpers.ll --check-prefix=ASM
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1201 %t/helpers.ll -o - | FileCheck %t/helpers.ll --check-prefix=ASM
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1030 %t/loop.ll -o - | FileCheck %t/loop.ll
; RUN: lgc-opt -compile -verify-each -filetype=asm -mcpu=gfx1201 %t/loop.ll -o - | FileCheck %t/loop.ll

;--- kill.ll
; A kill alone behind a condition becomes a kill with that condition; the branch is gone.
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: [[KEEP:%.*]] = xor i1 %c, true
; CHECK: call void @llvm.amdgcn.kill(i1 [[KEEP]])
; CHECK: br label %rest
; CHECK: rest:
; CHECK: call void @llvm.amdgcn.kill(i1 %c2)
; CHECK: br label %more
; CHECK: more:
; CHECK-NOT: amdgcn.kill
; CHECK: ret void
; CHECK-NOT: unreachable
define void @lgc.shader.FS() {
  %p = inttoptr i32 4096 to ptr addrspace(3)
  %x = load volatile i32, ptr addrspace(3) %p
  %c = icmp eq i32 %x, 1
  br i1 %c, label %kill, label %rest
kill:
  call void @lgc.kill__void()
  unreachable
rest:
  %c2 = icmp eq i32 %x, 2
  br i1 %c2, label %more, label %kill2
kill2:
  call void @lgc.kill__void()
  unreachable
more:
  store i32 1, ptr addrspace(3) %p
  ret void
}
declare void @lgc.kill__void()
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}

;--- nested.ll
; Where others may wait, invocations go to the end to be killed, and then all do. Demoted ones too, where nobody reads what neighbours have.
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: br i1 %c0, label %first, label %start
; CHECK: first:
; CHECK-NEXT: br label %[[END:.*]]
; CHECK: br i1 %c, label %inner, label %rest
; CHECK: inner:
; CHECK: br i1 %c2, label %kill, label %rest
; CHECK: kill:
; CHECK-NEXT: br label %[[END]]
; CHECK: rest:
; CHECK: br i1 %c3, label %inner2, label %last
; CHECK: inner2:
; CHECK-NEXT: br i1 %c2, label %demote, label %last
; CHECK: demote:
; CHECK-NEXT: br label %[[END]]
; CHECK: last:
; CHECK-NEXT: br label %[[END]]
; CHECK: [[END]]:
; CHECK-NEXT: [[SURVIVES:%.*]] = phi i1 [ true, %last ], [ false, %first ], [ false, %kill ], [ false, %demote ]
; CHECK-NEXT: call void @llvm.amdgcn.kill(i1 [[SURVIVES]])
; CHECK-NEXT: ret void
define void @lgc.shader.FS() {
  %p = inttoptr i32 4096 to ptr addrspace(3)
  %x = load volatile i32, ptr addrspace(3) %p
  %c = icmp eq i32 %x, 1
  %c2 = icmp ne i32 %x, 2
  %c0 = icmp eq i32 %x, 7
  br i1 %c0, label %first, label %start
first:
  call void @lgc.kill__void()
  unreachable
start:
  br i1 %c, label %inner, label %rest
inner:
  store volatile i32 %x, ptr addrspace(3) %p
  br i1 %c2, label %kill, label %rest
kill:
  call void @lgc.kill__void()
  unreachable
rest:
  %c3 = icmp eq i32 %x, 3
  br i1 %c3, label %inner2, label %last
inner2:
  br i1 %c2, label %demote, label %last
demote:
  call void @lgc.demote__void()
  br label %last
last:
  ret void
}
declare void @lgc.kill__void()
declare void @lgc.demote__void()
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}

;--- helpers.ll
; Stores and atomics through addresses are guarded, because LLVM lets helpers run them; buffers are LLVM's affair.
; CHECK: [[KEEP:%.*]] = xor i1 %c, true
; CHECK: call void @llvm.amdgcn.wqm.demote(i1 [[KEEP]])
; CHECK: [[LIVE:%.*]] = call i1 @llvm.amdgcn.live.mask()
; CHECK: [[HELPER:%.*]] = xor i1 [[LIVE]], true
; CHECK: select i1 [[HELPER]], i32 5, i32 %x
; CHECK: [[LIVE2:%.*]] = call i1 @llvm.amdgcn.live.mask()
; CHECK: br i1 [[LIVE2]], label %[[THEN:.*]], label %[[REST:.*]]
; CHECK: [[THEN]]:
; CHECK: [[OLD:%.*]] = atomicrmw add ptr addrspace(1)
; CHECK: [[REST]]:
; CHECK: phi i32 [ [[OLD]], %[[THEN]] ], [ poison,
; ASM: s_wqm_b64
; ASM: s_cbranch_exec
; ASM: global_atomic_add
; ASM: s_endpgm
define void @lgc.shader.FS() {
  %p = inttoptr i64 4096 to ptr addrspace(1)
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %f = extractelement <2 x float> %ij, i32 0
  %x = bitcast float %f to i32
  %c = icmp eq i32 %x, 1
  br i1 %c, label %demote, label %rest
demote:
  call void @lgc.demote__void()
  br label %rest
rest:
  %h = call i1 @lgc.is.helper__i1()
  %s = select i1 %h, i32 5, i32 %x
  %old = atomicrmw add ptr addrspace(1) %p, i32 %s monotonic
  %oldf = bitcast i32 %old to float
  %d = call float @lgc.derivative__f32_i32_f32(i32 0, float %oldf)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %d, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.demote__void()
declare i1 @lgc.is.helper__i1()
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)
declare float @lgc.derivative__f32_i32_f32(i32, float)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.color.targets = !{!2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{i32 0, !"R32.float", i32 15, i32 0, i32 0}

;--- dual.ll
; With two blend sources a killed invocation goes on as a helper.
; CHECK: call void @llvm.amdgcn.wqm.demote(i1
; CHECK-NOT: @llvm.amdgcn.kill
define void @lgc.shader.FS() {
  %p = inttoptr i32 4096 to ptr addrspace(3)
  %x = load volatile i32, ptr addrspace(3) %p
  %c = icmp eq i32 %x, 1
  br i1 %c, label %kill, label %rest
kill:
  call void @lgc.kill__void()
  unreachable
rest:
  ret void
}
declare void @lgc.kill__void()
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"dualSourceBlendEnable", i32 1}

;--- loop.ll
; A kill in a loop with work of its own.
; CHECK-LABEL: _amdgpu_ps_main:
; CHECK: {{exp|export}} mrt0 {{.*}} done
; CHECK: s_endpgm
define void @lgc.shader.FS() {
entry:
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %f = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 0, i32 0, i32 0, <2 x float> %ij)
  br label %loop
loop:
  %v = phi float [ %f, %entry ], [ %next, %latch ]
  %c = fcmp ogt float %v, 5.0
  br i1 %c, label %work, label %latch
work:
  %e = call float @llvm.sin.f32(float %v)
  %dead = fcmp ogt float %e, 0.5
  br i1 %dead, label %kill, label %latch
kill:
  call void @lgc.kill__void()
  unreachable
latch:
  %next = fmul float %v, 2.0
  %again = fcmp olt float %next, 100.0
  br i1 %again, label %loop, label %end
end:
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %next, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
declare float @llvm.sin.f32(float)
declare void @lgc.kill__void()
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)
declare float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.color.targets = !{!2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{i32 0, !"R32.float", i32 15, i32 0, i32 0}

;--- remember.ll
; Who is demoted where others may wait, in a shader that reads neighbours, runs on: a variable remembers it. Buffers are not written, helpers
; and ballots ask the variable too, and the end takes them away.
; CHECK-LABEL: define void @lgc.shader.FS()
; CHECK: %demoted = alloca i1, align 1, addrspace(5)
; CHECK: store i1 false, ptr addrspace(5) %demoted
; CHECK-NOT: wqm.demote
; CHECK: demote:
; CHECK-NEXT: store i1 true, ptr addrspace(5) %demoted
; CHECK-NEXT: br label %rest
; CHECK: [[NOTLIVE:%.*]] = xor i1 {{%.*}}, true
; CHECK: [[D:%.*]] = load i1, ptr addrspace(5) %demoted
; CHECK: [[HELPS:%.*]] = or i1 [[NOTLIVE]], [[D]]
; CHECK: select i1 [[HELPS]]
; CHECK: [[D2:%.*]] = load i1, ptr addrspace(5) %demoted
; CHECK: [[RUNS:%.*]] = xor i1 [[D2]], true
; CHECK: [[WRITES:%.*]] = and i1 {{%.*}}, [[RUNS]]
; CHECK: br i1 [[WRITES]], label %[[THEN:.*]], label %[[AFTER:.*]]
; CHECK: [[THEN]]:
; CHECK-NEXT: store i32 %s, ptr addrspace(7)
; CHECK: [[D3:%.*]] = load i1, ptr addrspace(5) %demoted
; CHECK: [[KEEP:%.*]] = xor i1 [[D3]], true
; CHECK: call void @llvm.amdgcn.kill(i1 [[KEEP]])
; CHECK-NEXT: ret void
; SUBGROUP-LABEL: define void @lgc.shader.FS()
; SUBGROUP-NOT: alloca
; SUBGROUP: [[DEMOTED:%.*]] = phi i1 {{.*}}[ true, %demote ]
; SUBGROUP: [[RUNS:%.*]] = xor i1 [[DEMOTED]], true
; SUBGROUP: and i1 {{%.*}}, [[RUNS]]
; SUBGROUP: call i{{32|64}} @llvm.amdgcn.ballot.i{{32|64}}(
; ASM: buffer_store_{{(dword|b32)}}
; ASM: s_endpgm
define void @lgc.shader.FS() {
  %h = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 0, i32 0)
  %p = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h, i32 0)
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %f = extractelement <2 x float> %ij, i32 0
  %x = bitcast float %f to i32
  %c = icmp eq i32 %x, 1
  br i1 %c, label %branch, label %rest
branch:
  %j = extractelement <2 x float> %ij, i32 1
  %c2 = fcmp ogt float %j, 0.5
  br i1 %c2, label %demote, label %rest
demote:
  call void @lgc.demote__void()
  br label %rest
rest:
  %helper = call i1 @lgc.is.helper__i1()
  %s = select i1 %helper, i32 5, i32 %x
  store i32 %s, ptr addrspace(7) %p
  %all = call i1 @lgc.subgroup.all__i1_i1(i1 %c)
  %e = select i1 %all, float 1.0, float %f
  %d = call float @lgc.derivative__f32_i32_f32(i32 0, float %e)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %d, i32 0, i32 0, i32 0, i32 poison)
  ret void
}
declare void @lgc.demote__void()
declare i1 @lgc.is.helper__i1()
declare i1 @lgc.subgroup.all__i1_i1(i1)
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)
declare float @lgc.derivative__f32_i32_f32(i32, float)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32)
declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.user.data = !{!3}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!3 = !{!"DescriptorBuffer", i32 4, i32 0, i32 0, i32 0, i32 0}

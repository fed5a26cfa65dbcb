; RUN: lgc-opt -mcpu=gfx1010 -passes='lgc-lower-geometry,function(sroa,early-cse,simplifycfg)' -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX1010 %s
; RUN: lgc-opt -mcpu=gfx1100 -passes='lgc-lower-geometry,function(sroa,early-cse,simplifycfg)' -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -passes='lgc-lower-geometry,function(sroa,early-cse,simplifycfg)' -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX12 %s

; A loop with a dynamic count that emits at most 4 vertices of 5 dwords: slots of 5 dwords. gfx10.1
; runs waves of 32 lanes, so there are 8 of them.
; CHECK-LABEL: define void @lgc.hw.GS()
; No vertices, no counts.
; CHECK: store i32 0, ptr addrspace(3)
; CHECK: store i32 0, ptr addrspace(3)
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK: [[FIRST:%.*]] = mul i32 %thread, 4
; CHECK: [[STRIP:%in.strip.*]] = phi i32 [ 0, {{.*}} ], [ [[STRIP1:%.*]], {{.*}} ]
; CHECK: [[EMITTED:%emitted.*]] = phi i32 [ 0, {{.*}} ], [ [[EMITTED1:%.*]], {{.*}} ]
; A vertex too many goes where nobody looks.
; CHECK: [[FITS:%.*]] = icmp ult i32 [[EMITTED]], 4
; CHECK: [[SLOT:%.*]] = add i32 [[FIRST]], [[EMITTED]]
; CHECK: [[INDEX:%.*]] = select i1 [[FITS]], i32 [[SLOT]], i32 256
; CHECK: [[FLAGSLOT:%.*]] = select i1 [[FITS]], i32 [[INDEX]], i32 256
; CHECK: mul i32 [[INDEX]], 5
; CHECK: [[COMPLETES:%.*]] = icmp uge i32 [[STRIP]], 2
; CHECK: [[FLAG:%.*]] = select i1 [[COMPLETES]], i32 3, i32 1
; CHECK: [[LOW:%.*]] = and i32 [[STRIP]], 1
; CHECK: [[ODD:%.*]] = shl i32 [[LOW]], 2
; CHECK: [[FLAGS:%.*]] = or i32 [[FLAG]], [[ODD]]
; CHECK: store i32 [[FLAGS]]
; CHECK: [[EMITTED1]] = add i32 [[EMITTED]], 1
; CHECK: [[STRIP1]] = add i32 [[STRIP]], 1

; Count: per wave, then of earlier waves.
; CHECK: call void @llvm.amdgcn.s.barrier()
; CHECK: [[MYFLAG:%.*]] = load i32
; CHECK: [[LIVE:%.*]] = icmp ne i32 [[MYFLAG]], 0
; GFX1010: [[MASK:%.*]] = call i32 @llvm.amdgcn.ballot.i32(i1 [[LIVE]])
; GFX11: [[MASK:%.*]] = call i64 @llvm.amdgcn.ballot.i64(i1 [[LIVE]])
; CHECK: call void @llvm.amdgcn.s.barrier()
; GFX1010: load <8 x i32>
; GFX11: load <4 x i32>
; CHECK: select i1 [[LIVE]], i32 {{%.*}}, i32 256
; CHECK: call void @llvm.amdgcn.s.barrier()

; GFX1010: [[COUNT:%.*]] = select i1 {{%.*}}, i32 1, i32 {{%.*}}
; GFX1010: shl i32 [[COUNT]], 12
; GFX1010: call void @llvm.amdgcn.s.sendmsg(i32 9,
; GFX1010: call void @llvm.amdgcn.exp.i32(i32 20, i32 1, i32 -2147483648,
; GFX1010: call void @llvm.amdgcn.exp.f32(i32 12, i32 15, float 0.000000e+00, {{.*}} i1 true, i1 false)
; GFX11: call void @llvm.amdgcn.s.sendmsg(i32 9,
; GFX12: call void @llvm.amdgcn.s.sendmsg(i32 9,

; Vertices p - 2, p - 1, p; of odd triangles the last two change places.
; CHECK: [[MAP:%.*]] = load i32
; CHECK: [[MAPFLAG:%.*]] = lshr i32 [[MAP]], 8
; CHECK: [[A:%.*]] = sub i32 %thread, 2
; CHECK: [[B:%.*]] = sub i32 %thread, 1
; CHECK: [[O:%.*]] = and i32 [[MAPFLAG]], 4
; CHECK: [[ISODD:%.*]] = icmp ne i32 [[O]], 0
; CHECK: [[V1:%.*]] = select i1 [[ISODD]], i32 %thread, i32 [[B]]
; CHECK: [[V2:%.*]] = select i1 [[ISODD]], i32 [[B]], i32 %thread
; GFX1010: shl i32 [[V1]], 10
; GFX1010: shl i32 [[V2]], 20
; GFX11: shl i32 [[V1]], 10
; GFX11: shl i32 [[V2]], 20
; GFX12: shl i32 [[V1]], 9
; GFX12: shl i32 [[V2]], 18
; CHECK: [[WORD:%.*]] = select i1 {{%.*}}, i32 {{%.*}}, i32 -2147483648
; CHECK: call void @llvm.amdgcn.exp.i32(i32 20, i32 1, i32 [[WORD]], i32 poison, i32 poison, i32 poison, i1 true, i1 false)
; GFX1010: call void @llvm.amdgcn.exp.f32(i32 32, i32 1,
; GFX11: call void @llvm.amdgcn.struct.buffer.store.v4f32(<4 x float> {{%.*}}, <4 x i32> {{%.*}}, i32 %thread,
; GFX12: call void @llvm.amdgcn.struct.buffer.store.v4f32(<4 x float> {{%.*}}, <4 x i32> {{%.*}}, i32 %thread,
; CHECK: call void @llvm.amdgcn.exp.f32(i32 12, i32 15,
; CHECK: ret void
define void @lgc.shader.VS() {
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> splat (float 1.0), i32 512, i32 0, i32 0, i32 poison)
  ret void
}

define void @lgc.shader.GS() {
entry:
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 0)
  %w = extractelement <4 x float> %p, i32 3
  %count = fptoui float %w to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %f = uitofp i32 %i to float
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 0, i32 0, i32 0, i32 0)
  ; of another stream
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %f, i32 1, i32 0, i32 0, i32 1)
  call void @lgc.emit.vertex__void_i32(i32 0)
  call void @lgc.emit.vertex__void_i32(i32 1)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %loop, label %done
done:
  call void @lgc.end.primitive__void_i32(i32 0)
  ret void
}

declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare i32 @lgc.hw.value__i32_i32(i32) memory(none)
declare void @lgc.emit.vertex__void_i32(i32)
declare void @lgc.end.primitive__void_i32(i32)

!lgc.graphics = !{!0, !1, !2, !3}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.outputVertices", i32 4}
!2 = !{!"nggState.enableGsUse", i32 1}
!3 = !{!"nggState.force", i32 1}

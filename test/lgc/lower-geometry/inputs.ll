; RUN: lgc-opt -mcpu=gfx1030 -passes='lgc-lower-geometry,function(sroa,early-cse)' -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1100 -passes='lgc-lower-geometry,function(sroa,early-cse)' -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -passes='lgc-lower-geometry,function(sroa,early-cse)' -verify-each %s -o - | FileCheck --check-prefixes=CHECK,GFX12 %s

; Vertex half: what the geometry half reads, packed into an item of odd size: component 1 of slot 2
; (0), the 16-bit value of slot 3 (1), the array of slots 5 and 6 with 4 dwords each (2 to 9). What
; nobody reads is not stored. 10 dwords become 11.
; CHECK-LABEL: define void @lgc.hw.GS()
; CHECK: call void @llvm.amdgcn.init.exec(i64 -1)
; CHECK: [[INFO:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 0)
; CHECK: br i1 {{.*}}, label %es, label %es.end
; CHECK: es:
; CHECK: [[VERTEX:%.*]] = mul i32 {{%.*}}, 11
; CHECK: [[AT:%.*]] = getelementptr i32, ptr addrspace(3) @lgc.gs.lds, i32 [[VERTEX]]
; CHECK: store i32 1073741824, ptr addrspace(3) [[AT]]
; CHECK-NOT: store
; CHECK: [[D1:%.*]] = add i32 [[VERTEX]], 1
; CHECK: [[AT1:%.*]] = getelementptr i32, ptr addrspace(3) @lgc.gs.lds, i32 [[D1]]
; CHECK: store i32 15360, ptr addrspace(3) [[AT1]]
; CHECK: [[D6:%.*]] = add i32 [[VERTEX]], 6
; CHECK: [[AT6:%.*]] = getelementptr i32, ptr addrspace(3) @lgc.gs.lds, i32 [[D6]]
; CHECK: store i32 1082130432, ptr addrspace(3) [[AT6]]
; CHECK: add i32 [[VERTEX]], 9
; CHECK: es.end:
; CHECK-NEXT: fence syncscope("workgroup") release
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: fence syncscope("workgroup") acquire
; CHECK: br i1 {{.*}}, label %gs, label %gs.end

; Geometry half: vertices 0, 1, 5 of a triangle with adjacency.
; CHECK: gs:
; CHECK: [[WORD:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 30)
; Edge flags above the number of the invocation.
; GFX10: [[ID:%.*]] = and i32 [[WORD]], 127
; GFX11: [[ID:%.*]] = and i32 [[WORD]], 127
; GFX12-NOT: and i32 [[WORD]]
; GFX10: [[W01:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 26)
; GFX10: [[V0:%.*]] = and i32 [[W01]], 65535
; GFX10: [[W45:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 28)
; GFX10: [[V5:%.*]] = lshr i32 [[W45]], 16
; GFX11: [[W01:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 26)
; GFX11: [[V0:%.*]] = and i32 [[W01]], 65535
; GFX11: [[W45:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 28)
; GFX11: [[V5:%.*]] = lshr i32 [[W45]], 16
; GFX12: [[W012:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 26)
; GFX12: [[N0:%.*]] = and i32 {{%.*}}, 255
; GFX12: [[V0:%.*]] = mul i32 [[N0]], 11
; GFX12: [[W345:%.*]] = call i32 @lgc.hw.value__i32_i32(i32 27)
; GFX12: [[S5:%.*]] = lshr i32 [[W345]], 18
; GFX12: [[N5:%.*]] = and i32 [[S5]], 255
; GFX12: [[V5:%.*]] = mul i32 [[N5]], 11
; CHECK: [[P0:%.*]] = getelementptr i32, ptr addrspace(3) @lgc.gs.lds, i32 [[V0]]
; CHECK: [[X0:%.*]] = load i32, ptr addrspace(3) [[P0]]
; CHECK: store volatile float
; CHECK: [[F1:%.*]] = add i32 [[V5]], 1
; CHECK: [[P1:%.*]] = getelementptr i32, ptr addrspace(3) @lgc.gs.lds, i32 [[F1]]
; CHECK: [[X1:%.*]] = load i32, ptr addrspace(3) [[P1]]
; CHECK: trunc i32 [[X1]] to i16
; A dynamic element counts 4 dwords.
; GFX10: [[E:%.*]] = shl i32 [[ID]], 2
; GFX11: [[E:%.*]] = shl i32 [[ID]], 2
; GFX12: [[E:%.*]] = shl i32 [[WORD]], 2
; CHECK: [[B:%.*]] = add i32 [[V5]], [[E]]
; CHECK: add i32 [[B]], 2
define void @lgc.shader.VS() {
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 1.0, i32 2, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float 2.0, i32 2, i32 1, i32 0, i32 poison)
  call void @lgc.output.store__void_f16_i32_i32_i32_i32(half 1.0, i32 3, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> splat (float 4.0), i32 5, i32 0, i32 1, i32 poison)
  ret void
}

define void @lgc.shader.GS() {
  %id = call i32 @lgc.builtin__i32_i32(i32 24)
  %x = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 2, i32 1, i32 0, i32 0)
  store volatile float %x, ptr addrspace(1) null
  %y = call half @lgc.input.load__f16_i32_i32_i32_i32(i32 3, i32 0, i32 0, i32 5)
  store volatile half %y, ptr addrspace(1) null
  ; 2 slots from 5 on
  %z = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 65541, i32 0, i32 %id, i32 5)
  store volatile float %z, ptr addrspace(1) null
  ret void
}

declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_f16_i32_i32_i32_i32(half, i32, i32, i32, i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare half @lgc.input.load__f16_i32_i32_i32_i32(i32, i32, i32, i32)
declare i32 @lgc.hw.value__i32_i32(i32) memory(none)
declare i32 @lgc.builtin__i32_i32(i32)
declare void @lgc.emit.vertex__void_i32(i32)
declare void @lgc.end.primitive__void_i32(i32)

!lgc.graphics = !{!0, !1, !2, !3}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.input", !"trianglesAdjacency"}
!2 = !{!"geometry.outputVertices", i32 3}
!3 = !{!"geometry.invocations", i32 2}

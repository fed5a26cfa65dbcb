; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=CHECK,GFX10 %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=CHECK,GFX11 %s
; RUN: lgc-opt -mcpu=gfx1201 -passes=lgc-lower-vertex-exports %s -o - | FileCheck --check-prefixes=CHECK,GFX12 %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM %s

; Not pass-through: export space is asked for, primitives leave after the tests.
; CHECK: @lgc.ngg.culling = internal addrspace(3) global [640 x i32] undef
; CHECK: define void @lgc.hw.GS()
; CHECK: call void @llvm.amdgcn.s.sendmsg(i32 9,
; CHECK-NOT: call void @llvm.amdgcn.exp.i32
; CHECK: br i1 [[ISVERTEX:%.*]], label %[[VERTEX:vertex.*]], label %end

; x, y, w, the signs of the distances (the second clip, the first cull distance), not visible yet.
; CHECK: export:
; CHECK: fcmp olt float {{%.*}}, 0.000000e+00
; CHECK: shl i32 {{%.*}}, 1
; CHECK: fcmp olt float {{%.*}}, 0.000000e+00
; CHECK: shl i32 {{%.*}}, 8
; CHECK: store i32 0, ptr addrspace(3)

; CHECK: end:
; CHECK: fence syncscope("workgroup") release
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK: cull:
; GFX10: %vertices = call i32 @lgc.hw.value__i32_i32(i32 26)
; GFX10: and i32 {{%.*}}, 65535
; GFX12: %connectivity = call i32 @lgc.hw.value__i32_i32(i32 26)
; GFX12: and i32 {{%.*}}, 255

; Frustum, distances, then what the driver's registers decide.
; CHECK: fcmp ogt float
; CHECK: fcmp olt float
; CHECK: icmp ne i32 {{%.*}}, 0
; CHECK: %culling.data = call <2 x i32> @lgc.special.user.data__v2i32_i32(i32 268435473)
; CHECK: getelementptr inbounds i8, ptr addrspace(4) {{%.*}}, i64 28
; CHECK: call float @llvm.roundeven.f32
; Not of polygons that become edges or corners, nor with conservative coverage.
; CHECK: getelementptr inbounds i8, ptr addrspace(4) {{%.*}}, i64 28
; CHECK: getelementptr inbounds i8, ptr addrspace(4) {{%.*}}, i64 576
; CHECK: and i32 {{%.*}}, 24
; GFX10: shl i32 {{%.*}}, 20
; GFX12: and i32 {{%.*}}, 134217727
; CHECK: [[WORD:%.*]] = select i1 {{%.*}}, i32 -2147483648, i32
; CHECK: call void @llvm.amdgcn.exp.i32(i32 20, i32 1, i32 [[WORD]],
; CHECK: visible:
; CHECK: store i32 1, ptr addrspace(3)
; CHECK: call void @llvm.amdgcn.s.barrier()

; Positions of all, attributes of visible vertices.
; CHECK: br i1 [[ISVERTEX]]
; GFX10: call void @llvm.amdgcn.exp.f32(i32 12,
; GFX10: attributes:
; GFX10: call void @llvm.amdgcn.exp.f32(i32 32,
; GFX11: attributes:
; GFX11: call void @llvm.amdgcn.struct.buffer.store
; GFX11: fence syncscope("agent") release
; GFX11: call void @llvm.amdgcn.exp.f32(i32 12,

; CHECK-NOT: primgen_passthru

; ASM: _amdgpu_gs_main:
; ASM: s_barrier
; ASM: {{exp|export}} prim
; ASM: s_barrier
; ASM: {{exp|export}} pos0
define void @lgc.shader.VS() {
  %vertex = call i32 @lgc.hw.value__i32_i32(i32 16)
  %x = uitofp i32 %vertex to float
  %v = insertelement <4 x float> <float 0.0, float 0.0, float 0.5, float 1.0>, float %x, i32 0
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %v, i32 0, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 514, i32 1, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %x, i32 516, i32 0, i32 0, i32 poison)
  ret void
}
declare i32 @lgc.hw.value__i32_i32(i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3, !4, !5}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"nggState.backfaceCulling", i32 1}
!3 = !{!"nggState.frustumCulling", i32 1}
!4 = !{!"nggState.smallPrimitiveFilter", i32 1}
!5 = !{!"nggState.cullDistanceCulling", i32 1}

; RUN: split-file %s %t
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1100 %t/basic.ll -o - | FileCheck %t/basic.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1030 %t/sample.ll -o - | FileCheck %t/sample.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1030 %t/sample.ll -o - | FileCheck %t/sample.ll --check-prefix=ONE
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1201 %t/bary.ll -o - | FileCheck %t/bary.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1030 %t/bary-at.ll -o - | FileCheck %t/bary-at.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1201 %t/bary-at.ll -o - | FileCheck %t/bary-at.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1030 %t/bary-sample.ll -o - | FileCheck %t/bary-sample.ll
; RUN: not lgc-opt -passes=lgc-lower-fragment-inputs -mcpu=gfx1010 %t/bary-at.ll -o - 2>&1 | FileCheck %s --check-prefix=OLD
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1030 %t/point.ll -o - | FileCheck %t/point.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1030 %t/offset.ll -o - | FileCheck %t/offset.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1201 %t/offset.ll -o - | FileCheck %t/offset.ll
; RUN: lgc-opt -passes=lgc-lower-fragment-inputs -verify-each -mcpu=gfx1010 %t/offset.ll -o - | FileCheck %t/offset.ll --check-prefix=PIXELS
; RUN: not lgc-opt -passes=lgc-lower-fragment-inputs -mcpu=gfx1010 %t/bary.ll -o - 2>&1 | FileCheck %s --check-prefix=OLD
; RUN: not lgc-opt -passes=lgc-lower-fragment-inputs -mcpu=gfx1100 %t/mixed.ll -o - 2>&1 | FileCheck %s --check-prefix=MIXED

; OLD: unsupported: BaryCoordKHR on gfx1010
; MIXED: unsupported: fragment shader input at location 1 that is both interpolated and flat

;--- basic.ll
; Helpers are those that are not alive at the start. FragCoord.w is the reciprocal of the register.
; CHECK-DAG: [[LIVE:%.*]] = call i1 @llvm.amdgcn.live.mask()
; CHECK-DAG: %PosW = call float @lgc.hw.value__f32_i32
; CHECK-DAG: call float @llvm.amdgcn.rcp.f32(float %PosW)
; CHECK-DAG: %FrontFace = call i32 @lgc.hw.value__i32_i32
; CHECK-DAG: icmp ne i32 %FrontFace, 0
; CHECK-DAG: [[WIDTH:%.*]] = and i32 %Ancillary, 12
; CHECK-DAG: [[SHIFTED:%.*]] = lshr i32 %Ancillary, 4
; CHECK-DAG: [[HEIGHT:%.*]] = and i32 [[SHIFTED]], 3
; CHECK-DAG: or i32 [[WIDTH]], [[HEIGHT]]
; CHECK-DAG: call i32 @lgc.special.user.data__i32_i32(i32 268435467)
; CHECK-DAG: !{!".graphics_registers", !".ps_iter_sample", i64 0}
; CHECK-DAG: !{!".graphics_registers", !".spi_baryc_cntl", !".front_face_all_bits", i64 1}
; CHECK-DAG: !{!".ps_sample_mask", i64 1}
define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %helper = call i1 @lgc.builtin__i1_i32(i32 32)
  %front = call i1 @lgc.builtin__i1_i32(i32 28)
  %coord = call <4 x float> @lgc.builtin__v4f32_i32(i32 26)
  %rate = call i32 @lgc.builtin__i32_i32(i32 35)
  %mask = call i32 @lgc.builtin__i32_i32(i32 31)
  %view = call i32 @lgc.builtin__i32_i32(i32 21)
  store volatile i1 %helper, ptr addrspace(1) %out
  store volatile i1 %front, ptr addrspace(1) %out
  store volatile <4 x float> %coord, ptr addrspace(1) %out
  store volatile i32 %rate, ptr addrspace(1) %out
  store volatile i32 %mask, ptr addrspace(1) %out
  store volatile i32 %view, ptr addrspace(1) %out
  ret void
}
declare i1 @lgc.builtin__i1_i32(i32)
declare i32 @lgc.builtin__i32_i32(i32)
declare <4 x float> @lgc.builtin__v4f32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"enableMultiView", i32 1}

;--- sample.ll
; Reading SampleId makes the shader run once a sample: the centre becomes the sample, the mask has this sample's bit only.
; CHECK-DAG: [[SHIFTED:%.*]] = lshr i32 %Ancillary, 8
; CHECK-DAG: [[ID:%.*]] = and i32 [[SHIFTED]], 15
; CHECK-DAG: shl i32 1, {{%.*}}
; CHECK-DAG: %PerspSample = call <2 x float> @lgc.hw.value__v2f32_i32
; CHECK-DAG: call <4 x i32> @lgc.driver.table__v4i32_i32(i32 48)
; CHECK-DAG: add i32 32, {{%.*}}
; CHECK-DAG: call <2 x float> @llvm.amdgcn.raw.buffer.load.v2f32(<4 x i32>
; CHECK-DAG: fadd <2 x float> {{.*}}, splat (float 5.000000e-01)
; Interpolation at a sample: i/w, j/w, 1/w at the place, then i and j. Fragments are one pixel here.
; ONE-LABEL: define void @lgc.shader.FS
; ONE-NOT: ldexp
; CHECK-DAG: call <3 x float> @lgc.derivative__v3f32_i32_v3f32(i32 2, <3 x float> %PerspPullModel)
; CHECK-DAG: call <3 x float> @lgc.derivative__v3f32_i32_v3f32(i32 3, <3 x float> %PerspPullModel)
; CHECK-DAG: call float @llvm.amdgcn.rcp.f32(float
; CHECK-DAG: !{!".graphics_registers", !".ps_iter_sample", i64 1}
; CHECK-DAG: !{!".graphics_registers", !".spi_baryc_cntl", !".pos_float_location", i64 2}
; CHECK-DAG: !{!".ps_input_semantic", !"[0]", !".semantic", i64 4}
define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %id = call i32 @lgc.builtin__i32_i32(i32 29)
  %pos = call <2 x float> @lgc.builtin__v2f32_i32(i32 30)
  %mask = call i32 @lgc.builtin__i32_i32(i32 31)
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %x = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 4, i32 1, i32 0, <2 x float> %ij)
  %at = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 4, i32 0, i32 2)
  %y = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 4, i32 1, i32 0, <2 x float> %at)
  store volatile i32 %id, ptr addrspace(1) %out
  store volatile i32 %mask, ptr addrspace(1) %out
  store volatile <2 x float> %pos, ptr addrspace(1) %out
  store volatile float %x, ptr addrspace(1) %out
  store volatile float %y, ptr addrspace(1) %out
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
declare <2 x float> @lgc.builtin__v2f32_i32(i32)
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)
declare float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"numSamples", i32 4}
!3 = !{!"samplePatternIdx", i32 32}

;--- offset.ll
; Offsets are pixels, and fragments may have several: the derivatives are those of fragments. gfx10.1 has pixels only.
; CHECK: [[WIDTH_BITS:%.*]] = lshr i32 %Ancillary, 2
; CHECK: [[WIDTH:%.*]] = and i32 [[WIDTH_BITS]], 3
; CHECK: [[HEIGHT_BITS:%.*]] = lshr i32 %Ancillary, 4
; CHECK: [[HEIGHT:%.*]] = and i32 [[HEIGHT_BITS]], 3
; CHECK: [[X:%.*]] = extractelement <2 x float> %offset, i64 0
; CHECK: [[DOWN_X:%.*]] = sub i32 0, [[WIDTH]]
; CHECK: call float @llvm.ldexp.f32.i32(float [[X]], i32 [[DOWN_X]])
; CHECK: [[Y:%.*]] = extractelement <2 x float> %offset, i64 1
; CHECK: [[DOWN_Y:%.*]] = sub i32 0, [[HEIGHT]]
; CHECK: call float @llvm.ldexp.f32.i32(float [[Y]], i32 [[DOWN_Y]])
; PIXELS-NOT: Ancillary
; PIXELS-NOT: ldexp
define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %offset = load volatile <2 x float>, ptr addrspace(1) %out
  %at = call <2 x float> @lgc.barycentric__v2f32_i32_i32_v2f32(i32 3, i32 0, <2 x float> %offset)
  store volatile <2 x float> %at, ptr addrspace(1) %out
  ret void
}
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_v2f32(i32, i32, <2 x float>)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}

;--- bary.ll
; The hardware rotates the provoking vertex to the front; two bits of the register a quad say how far.
; CHECK-DAG: [[QUAD:%.*]] = lshr i32 {{.*}}, 2
; CHECK-DAG: [[SHIFT:%.*]] = shl i32 [[QUAD]], 1
; CHECK-DAG: [[BITS:%.*]] = lshr i32 %ProvokingVtxInfo, [[SHIFT]]
; CHECK-DAG: [[ROTATION:%.*]] = and i32 [[BITS]], 3
; CHECK-DAG: icmp eq i32 [[ROTATION]], 1
; CHECK-DAG: icmp eq i32 [[ROTATION]], 2
define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %coord = call <3 x float> @lgc.builtin__v3f32_i32(i32 34)
  store volatile <3 x float> %coord, ptr addrspace(1) %out
  ret void
}
declare <3 x float> @lgc.builtin__v3f32_i32(i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1201"}
!1 = !{!"stages", !"vertex", !"fragment"}

;--- bary-at.ll
; Centroid and centre are the same where the sign of the primitive mask says so; weights at an offset come from the w register and its
; derivatives. Both end as coordinates in the order of the API.
; CHECK-DAG: %centroid = select i1 {{.*}}, <2 x float> %PerspCenter, <2 x float> %PerspCentroid
; CHECK-DAG: extractelement <2 x float> %centroid, i64 0
; CHECK-DAG: extractelement <2 x float> %centroid, i64 1
; CHECK-DAG: [[MOVED:%.*]] = call <2 x float> @llvm.fma.v2f32({{.*}}, <2 x float> %LinearCenter)
; CHECK-DAG: [[AT:%.*]] = call <2 x float> @llvm.fma.v2f32({{.*}}, <2 x float> [[MOVED]])
; CHECK-DAG: extractelement <2 x float> [[AT]], i64 0
; CHECK-DAG: !{!".graphics_registers", !".ps_iter_sample", i64 0}
define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %c = call <3 x float> @lgc.bary.coord__v3f32_i32_i32_i32(i32 1, i32 0, i32 poison)
  store volatile <3 x float> %c, ptr addrspace(1) %out
  %offset = load volatile <2 x float>, ptr addrspace(1) %out
  %at = call <3 x float> @lgc.bary.coord__v3f32_i32_i32_v2f32(i32 3, i32 1, <2 x float> %offset)
  store volatile <3 x float> %at, ptr addrspace(1) %out
  ret void
}
declare <3 x float> @lgc.bary.coord__v3f32_i32_i32_i32(i32, i32, i32)
declare <3 x float> @lgc.bary.coord__v3f32_i32_i32_v2f32(i32, i32, <2 x float>)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1201"}
!1 = !{!"stages", !"vertex", !"fragment"}

;--- bary-sample.ll
; At the sample: the shader runs for each.
; CHECK-DAG: extractelement <2 x float> %LinearSample, i64 0
; CHECK-DAG: !{!".graphics_registers", !".ps_iter_sample", i64 1}
define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %coord = call <3 x float> @lgc.bary.coord__v3f32_i32_i32_i32(i32 2, i32 1, i32 poison)
  store volatile <3 x float> %coord, ptr addrspace(1) %out
  ret void
}
declare <3 x float> @lgc.bary.coord__v3f32_i32_i32_i32(i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}

;--- point.ll
; The point coordinate is an input that is no attribute; Layer gets an attribute that the vertex shader writes too.
; CHECK-LABEL: @lgc.shader.VS
; CHECK: call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 7, i32 518,
; CHECK: call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 7, i32 0,
; CHECK-LABEL: @lgc.shader.FS
; CHECK-DAG: call float @llvm.amdgcn.interp.p1(float {{.*}}, i32 1, i32 1, i32 %PrimMask)
; CHECK-DAG: call float @llvm.amdgcn.interp.mov(i32 2, i32 0, i32 0, i32 %PrimMask)
; CHECK-DAG: !{!".graphics_registers", !".spi_interp_control", !".point_sprite_ena", i64 1}
; CHECK-DAG: !{!".graphics_registers", !".spi_interp_control", !".point_sprite_override_y", !"T"}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[1]", !".pt_sprite_tex", i64 1}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_input_cntl", !"[1]", !".offset", i64 32}
; CHECK-DAG: !{!".graphics_registers", !".spi_ps_in_control", !".num_interps", i64 2}
define void @lgc.shader.VS() {
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 7, i32 518, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %point = call <2 x float> @lgc.builtin__v2f32_i32(i32 27)
  %layer = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 518, i32 0, i32 0, i32 poison)
  store volatile <2 x float> %point, ptr addrspace(1) %out
  store volatile i32 %layer, ptr addrspace(1) %out
  ret void
}
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
declare <2 x float> @lgc.builtin__v2f32_i32(i32)
declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1030"}
!1 = !{!"stages", !"vertex", !"fragment"}
!2 = !{!"topology", !"pointList"}

;--- mixed.ll
define void @lgc.shader.FS() {
  %out = inttoptr i64 4096 to ptr addrspace(1)
  %ij = call <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32 0, i32 0, i32 poison)
  %x = call float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32 1, i32 1, i32 0, <2 x float> %ij)
  %flat = call i32 @lgc.input.load__i32_i32_i32_i32_i32(i32 1, i32 2, i32 0, i32 poison)
  store volatile float %x, ptr addrspace(1) %out
  store volatile i32 %flat, ptr addrspace(1) %out
  ret void
}
declare <2 x float> @lgc.barycentric__v2f32_i32_i32_i32(i32, i32, i32)
declare float @lgc.input.interpolate__f32_i32_i32_i32_v2f32(i32, i32, i32, <2 x float>)
declare i32 @lgc.input.load__i32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex", !"fragment"}

; RUN: split-file %s %t
; RUN: lgc-opt -passes=lgc-lower-vertex-fetch -verify-each %t/read.ll -o - | FileCheck %t/read.ll
; RUN: not lgc-opt -passes=lgc-lower-vertex-fetch %t/none.ll -o - 2>&1 | FileCheck %s --check-prefix=NONE
; NONE: invalid input: attributes that memory describes: the resource mapping has no table with it (InlineBuffer, set 4294967280, binding 5)

;--- read.ll
; The table is at byte 8 of what root dword 3 points to. Location 33 has a bit in the second dword of its mask, and an
; entry at byte 8 + 33 * 16.
; CHECK: call i32 @lgc.user.data__i32_i32(i32 3)
; CHECK: %[[T:.*]] = getelementptr {{.*}}i8, ptr addrspace(4) %table, i64 8
; CHECK: %locations = load i32, ptr addrspace(4) %[[T]]
; CHECK: %[[BIT:.*]] = and i32 %locations{{.*}}, 2
; CHECK: %is.present = icmp ne i32 %[[BIT]], 0
; CHECK: br i1 %is.present, label %fetch, label %fetched
; CHECK: fetch:
; CHECK: getelementptr {{.*}}i8, ptr addrspace(4) %[[T]], i64 536
; CHECK: %attribute = load <4 x i32>
; CHECK: %vertex.buffer = load <4 x i32>
; CHECK: br i1 {{.*}}, label %per.instance, label %element
; CHECK: udiv i32 %instance.id,
; CHECK: element:
; CHECK: br i1 {{.*}}, label %packed, label %apart
; CHECK: packed:
; CHECK: call <2 x i32> @llvm.amdgcn.struct.buffer.load.format.v2i32(<4 x i32> %{{.*}}, i32 %index, i32 0, i32 %{{.*}}, i32 0)
; CHECK: apart:
; CHECK-COUNT-2: call i32 @llvm.amdgcn.struct.buffer.load.format.i32(<4 x i32> %{{.*}}, i32 %index, i32 0, i32 %{{.*}}, i32 0)
; CHECK: fetched:
; CHECK: phi i32 [ 0, %0 ], [ %{{.*}}, %loaded ]
define void @lgc.shader.VS() {
  %in = call <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32 33, i32 0, i32 0, i32 poison)
  store volatile <2 x float> %in, ptr addrspace(1) null
  ret void
}
declare <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!lgc.user.data = !{!3}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{!"enableUberFetchShader", i32 1}
!3 = !{!"DescriptorTableVaPtr", i32 1, i32 3, i32 0, i32 0, i32 0, !4}
!4 = !{!"InlineBuffer", i32 258, i32 2, i32 -16, i32 5, i32 0}

;--- none.ll
define void @lgc.shader.VS() {
  %in = call <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32 33, i32 0, i32 0, i32 poison)
  store volatile <2 x float> %in, ptr addrspace(1) null
  ret void
}
declare <2 x float> @lgc.input.load__v2f32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{!"enableUberFetchShader", i32 1}

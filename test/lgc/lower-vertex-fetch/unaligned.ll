; RUN: lgc-opt -passes=lgc-lower-vertex-fetch %s -o - | FileCheck %s
; Nothing is aligned: elements are read byte by byte and converted by arithmetic.
; CHECK: call i8 @llvm.amdgcn.struct.buffer.load.i8(<4 x i32> %vertex.buffer, i32 %vertex.index, i32 1, i32 0, i32 0)
; CHECK: call i8 @llvm.amdgcn.struct.buffer.load.i8({{.*}}, i32 2, i32 0, i32 0)
; CHECK: shl i32 {{%.*}}, 8
; CHECK: uitofp i32
; CHECK: fmul float {{%.*}}, {{0x3EF0001|f0x37800080}}
; CHECK-COUNT-2: call float @llvm.fma.f32
; The second channel is not read, and elements of 64 bits are aligned all the same.
; CHECK-NOT: buffer.load.i8
; CHECK: call <2 x i32> @llvm.amdgcn.struct.buffer.load.v2i32({{.*}}, i32 8, i32 0, i32 0)
define void @lgc.shader.VS() {
  %in0 = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  store volatile float %in0, ptr addrspace(1) null
  %in1 = call <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 poison)
  store volatile <2 x i32> %in1, ptr addrspace(1) null
  ret void
}
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!lgc.vertex.bindings = !{!3}
!lgc.vertex.attributes = !{!10, !11}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{!"unalignedVertexFetch", i32 1}
!3 = !{i32 0, i32 32, i32 0, i32 1}
!10 = !{i32 0, i32 0, i32 1, !"RG16.unorm"}
!11 = !{i32 1, i32 0, i32 8, !"R64.uint"}

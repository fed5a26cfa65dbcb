; RUN: sed -e s/GPU/gfx1030/ %s | lgc-opt -passes=lgc-lower-matrices,lgc-lower-arithmetic -verify-each -o - | FileCheck %s --check-prefixes=CHECK,DOT
; RUN: sed -e s/GPU/gfx1010/ %s | lgc-opt -passes=lgc-lower-matrices,lgc-lower-arithmetic -verify-each -o - | FileCheck %s --check-prefixes=CHECK,FMA
; The row of component i comes from lane i of each 16: row_share is 0x150 (336) + i. Saturation is of the whole sum.
define void @lgc.shader.CS(<16 x half> %a, <16 x half> %b, <8 x float> %c, <16 x i8> %x, <16 x i8> %y, <8 x i32> %z, ptr %out) {
; CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 336, i32 15, i32 15, i1 true)
; DOT: call float @llvm.amdgcn.fdot2(
; FMA: call float @llvm.fma.f32(
; CHECK: call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %{{.*}}, i32 343, i32 15, i32 15, i1 true)
  %d = call <8 x float> @lgc.matrix.muladd__v8f32_i32_v16f16_v16f16_v8f32(i32 0, <16 x half> %a, <16 x half> %b, <8 x float> %c)
  store <8 x float> %d, ptr %out
; DOT: call i32 @llvm.amdgcn.sdot4(i32 {{.*}}, i32 {{.*}}, i32 0, i1 false)
; FMA: mul i32
; CHECK: call i32 @llvm.sadd.sat.i32(
  %w = call <8 x i32> @lgc.matrix.muladd__v8i32_i32_v16i8_v16i8_v8i32(i32 31, <16 x i8> %x, <16 x i8> %y, <8 x i32> %z)
  store <8 x i32> %w, ptr %out
  ret void
}
declare <8 x float> @lgc.matrix.muladd__v8f32_i32_v16f16_v16f16_v8f32(i32, <16 x half>, <16 x half>, <8 x float>)
declare <8 x i32> @lgc.matrix.muladd__v8i32_i32_v16i8_v16i8_v8i32(i32, <16 x i8>, <16 x i8>, <8 x i32>)
!lgc.target = !{!0}
!0 = !{!"GPU"}

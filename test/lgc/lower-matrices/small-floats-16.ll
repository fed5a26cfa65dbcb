; RUN: sed -e s/GPU/gfx1100/ %s | lgc-opt -passes=lgc-lower-matrices -verify-each -o - | FileCheck %s --check-prefixes=CHECK,GFX11
; RUN: sed -e s/GPU/gfx1010/ %s | lgc-opt -passes=lgc-lower-matrices -verify-each -o - | FileCheck %s --check-prefixes=CHECK,GFX10
; bfloat16, without an instruction as the high halves of floats; bytes that are floats (96: both E5M2) become halves.
define void @lgc.shader.CS(<16 x i16> %a, <16 x i16> %b, <16 x i8> %x, <16 x i8> %y, <8 x float> %c, ptr %out) {
; GFX11: call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.bf16.v8f32.v16i16(<16 x i16> %a, <16 x i16> %b, <8 x float> %c)
; GFX10: shl i32 %{{.*}}, 16
; GFX10: call float @llvm.fma.f32(
; GFX10: and i32 %{{.*}}, -65536
; GFX10: call float @llvm.fma.f32(
  %d = call <8 x float> @lgc.matrix.muladd__v8f32_i32_v16i16_v16i16_v8f32(i32 0, <16 x i16> %a, <16 x i16> %b, <8 x float> %c)
  store <8 x float> %d, ptr %out
; CHECK: [[X:%.*]] = zext <16 x i8> %x to <16 x i16>
; CHECK: shl <16 x i16> [[X]], splat (i16 8)
; GFX11: call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16.v8f32.v16f16(
; GFX10: call float @llvm.fma.f32(
  %e = call <8 x float> @lgc.matrix.muladd__v8f32_i32_v16i8_v16i8_v8f32(i32 96, <16 x i8> %x, <16 x i8> %y, <8 x float> %c)
  store <8 x float> %e, ptr %out
; E4M3: numbers below 8 are counts of 2^-9, 127 is NaN.
; CHECK: [[MAGNITUDE:%.*]] = and <16 x i16> %{{.*}}, splat (i16 127)
; CHECK: uitofp <16 x i16> [[MAGNITUDE]] to <16 x half>
; CHECK: icmp eq <16 x i16> [[MAGNITUDE]], splat (i16 127)
  %f = call <8 x float> @lgc.matrix.muladd__v8f32_i32_v16i8_v16i8_v8f32(i32 64, <16 x i8> %x, <16 x i8> %y, <8 x float> %c)
  store <8 x float> %f, ptr %out
  ret void
}
declare <8 x float> @lgc.matrix.muladd__v8f32_i32_v16i16_v16i16_v8f32(i32, <16 x i16>, <16 x i16>, <8 x float>)
declare <8 x float> @lgc.matrix.muladd__v8f32_i32_v16i8_v16i8_v8f32(i32, <16 x i8>, <16 x i8>, <8 x float>)
!lgc.target = !{!0}
!0 = !{!"GPU"}

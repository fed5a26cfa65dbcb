; RUN: lgc-opt -mcpu=gfx1010 -passes=lgc-lower-arithmetic -verify-each %s -o - | FileCheck --check-prefix=NONE %s
; RUN: lgc-opt -mcpu=gfx1030 -passes=lgc-lower-arithmetic -verify-each %s -o - | FileCheck --check-prefix=GFX103 %s
; RUN: lgc-opt -mcpu=gfx1100 -passes=lgc-lower-arithmetic -verify-each %s -o - | FileCheck --check-prefix=GFX11 %s

; gfx1010 has no dot instructions, gfx11 one for factors of any signs. v_dot4_u32_u8 is never used:
; LLVM 22 would use it in wrong places too.
; NONE-NOT: dot4
; NONE-COUNT-4: mul i32
; GFX103: call i32 @llvm.amdgcn.sdot4(i32 {{%.*}}, i32 {{%.*}}, i32 7, i1 true)
; GFX103-COUNT-4: mul i32
; GFX11: call i32 @llvm.amdgcn.sudot4(i1 true, i32 {{%.*}}, i1 true, i32 {{%.*}}, i32 7, i1 true)
; GFX11: call i32 @llvm.amdgcn.sudot4(i1 false, i32 {{%.*}}, i1 false, i32 {{%.*}}, i32 0, i1 false)
define void @lgc.shader.CS() {
  %a = load volatile <4 x i8>, ptr addrspace(1) null
  %b = load volatile <4 x i8>, ptr addrspace(1) null
  %s = call i32 @lgc.dot.product__i32_i32_v4i8_v4i8_i32(i32 7, <4 x i8> %a, <4 x i8> %b, i32 7)
  store volatile i32 %s, ptr addrspace(1) null
  %u = call i32 @lgc.dot.product__i32_i32_v4i8_v4i8_i32(i32 0, <4 x i8> %a, <4 x i8> %b, i32 poison)
  store volatile i32 %u, ptr addrspace(1) null
  ret void
}
declare i32 @lgc.dot.product__i32_i32_v4i8_v4i8_i32(i32, <4 x i8>, <4 x i8>, i32)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

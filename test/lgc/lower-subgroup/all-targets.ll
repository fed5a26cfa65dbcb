; RUN: lgc-opt -mcpu=gfx1010 -compile -filetype=obj -verify-each %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=obj -verify-each %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1100 -compile -filetype=obj -verify-each %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1150 -compile -filetype=obj -verify-each %s -o - | pal-verify -
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=obj -verify-each %s -o - | pal-verify -

; Every subgroup operation of these types gets through to code on every generation.
define void @lgc.shader.CS() {
  %lane = load volatile i32, ptr addrspace(1) null
  %v.i1 = load volatile i1, ptr addrspace(1) null
  %r1 = call i1 @lgc.subgroup.broadcast__i1_i1_i32(i1 %v.i1, i32 3)
  store volatile i1 %r1, ptr addrspace(1) null
  %r2 = call i1 @lgc.subgroup.broadcast.first__i1_i1(i1 %v.i1)
  store volatile i1 %r2, ptr addrspace(1) null
  %r3 = call i1 @lgc.subgroup.shuffle__i1_i1_i32(i1 %v.i1, i32 %lane)
  store volatile i1 %r3, ptr addrspace(1) null
  %r4 = call i1 @lgc.subgroup.shuffle.xor__i1_i1_i32(i1 %v.i1, i32 %lane)
  store volatile i1 %r4, ptr addrspace(1) null
  %r5 = call i1 @lgc.subgroup.shuffle.xor__i1_i1_i32(i1 %v.i1, i32 1)
  store volatile i1 %r5, ptr addrspace(1) null
  %r6 = call i1 @lgc.subgroup.shuffle.up__i1_i1_i32(i1 %v.i1, i32 %lane)
  store volatile i1 %r6, ptr addrspace(1) null
  %r7 = call i1 @lgc.subgroup.shuffle.down__i1_i1_i32(i1 %v.i1, i32 1)
  store volatile i1 %r7, ptr addrspace(1) null
  %r8 = call i1 @lgc.subgroup.rotate__i1_i1_i32_i32(i1 %v.i1, i32 1, i32 0)
  store volatile i1 %r8, ptr addrspace(1) null
  %r9 = call i1 @lgc.subgroup.rotate__i1_i1_i32_i32(i1 %v.i1, i32 %lane, i32 16)
  store volatile i1 %r9, ptr addrspace(1) null
  %r10 = call i1 @lgc.subgroup.quad.broadcast__i1_i1_i32(i1 %v.i1, i32 2)
  store volatile i1 %r10, ptr addrspace(1) null
  %r11 = call i1 @lgc.subgroup.quad.swap__i1_i1_i32(i1 %v.i1, i32 1)
  store volatile i1 %r11, ptr addrspace(1) null
  %r12 = call i1 @lgc.subgroup.all.equal__i1_i1(i1 %v.i1)
  store volatile i1 %r12, ptr addrspace(1) null
  %r13 = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 10, i32 0, i1 %v.i1, i32 0)
  store volatile i1 %r13, ptr addrspace(1) null
  %r14 = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 10, i32 1, i1 %v.i1, i32 0)
  store volatile i1 %r14, ptr addrspace(1) null
  %r15 = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 10, i32 2, i1 %v.i1, i32 0)
  store volatile i1 %r15, ptr addrspace(1) null
  %r16 = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 10, i32 0, i1 %v.i1, i32 8)
  store volatile i1 %r16, ptr addrspace(1) null
  %r17 = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 11, i32 0, i1 %v.i1, i32 0)
  store volatile i1 %r17, ptr addrspace(1) null
  %r18 = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 11, i32 1, i1 %v.i1, i32 0)
  store volatile i1 %r18, ptr addrspace(1) null
  %r19 = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 11, i32 2, i1 %v.i1, i32 0)
  store volatile i1 %r19, ptr addrspace(1) null
  %r20 = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 11, i32 0, i1 %v.i1, i32 8)
  store volatile i1 %r20, ptr addrspace(1) null
  %r21 = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 12, i32 0, i1 %v.i1, i32 0)
  store volatile i1 %r21, ptr addrspace(1) null
  %r22 = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 12, i32 1, i1 %v.i1, i32 0)
  store volatile i1 %r22, ptr addrspace(1) null
  %r23 = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 12, i32 2, i1 %v.i1, i32 0)
  store volatile i1 %r23, ptr addrspace(1) null
  %r24 = call i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32 12, i32 0, i1 %v.i1, i32 8)
  store volatile i1 %r24, ptr addrspace(1) null
  %v.i8 = load volatile i8, ptr addrspace(1) null
  %r25 = call i8 @lgc.subgroup.broadcast__i8_i8_i32(i8 %v.i8, i32 3)
  store volatile i8 %r25, ptr addrspace(1) null
  %r26 = call i8 @lgc.subgroup.broadcast.first__i8_i8(i8 %v.i8)
  store volatile i8 %r26, ptr addrspace(1) null
  %r27 = call i8 @lgc.subgroup.shuffle__i8_i8_i32(i8 %v.i8, i32 %lane)
  store volatile i8 %r27, ptr addrspace(1) null
  %r28 = call i8 @lgc.subgroup.shuffle.xor__i8_i8_i32(i8 %v.i8, i32 %lane)
  store volatile i8 %r28, ptr addrspace(1) null
  %r29 = call i8 @lgc.subgroup.shuffle.xor__i8_i8_i32(i8 %v.i8, i32 1)
  store volatile i8 %r29, ptr addrspace(1) null
  %r30 = call i8 @lgc.subgroup.shuffle.up__i8_i8_i32(i8 %v.i8, i32 %lane)
  store volatile i8 %r30, ptr addrspace(1) null
  %r31 = call i8 @lgc.subgroup.shuffle.down__i8_i8_i32(i8 %v.i8, i32 1)
  store volatile i8 %r31, ptr addrspace(1) null
  %r32 = call i8 @lgc.subgroup.rotate__i8_i8_i32_i32(i8 %v.i8, i32 1, i32 0)
  store volatile i8 %r32, ptr addrspace(1) null
  %r33 = call i8 @lgc.subgroup.rotate__i8_i8_i32_i32(i8 %v.i8, i32 %lane, i32 16)
  store volatile i8 %r33, ptr addrspace(1) null
  %r34 = call i8 @lgc.subgroup.quad.broadcast__i8_i8_i32(i8 %v.i8, i32 2)
  store volatile i8 %r34, ptr addrspace(1) null
  %r35 = call i8 @lgc.subgroup.quad.swap__i8_i8_i32(i8 %v.i8, i32 1)
  store volatile i8 %r35, ptr addrspace(1) null
  %r36 = call i1 @lgc.subgroup.all.equal__i1_i8(i8 %v.i8)
  store volatile i1 %r36, ptr addrspace(1) null
  %r37 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 0, i32 0, i8 %v.i8, i32 0)
  store volatile i8 %r37, ptr addrspace(1) null
  %r38 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 0, i32 1, i8 %v.i8, i32 0)
  store volatile i8 %r38, ptr addrspace(1) null
  %r39 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 0, i32 2, i8 %v.i8, i32 0)
  store volatile i8 %r39, ptr addrspace(1) null
  %r40 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 0, i32 0, i8 %v.i8, i32 8)
  store volatile i8 %r40, ptr addrspace(1) null
  %r41 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 2, i32 0, i8 %v.i8, i32 0)
  store volatile i8 %r41, ptr addrspace(1) null
  %r42 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 2, i32 1, i8 %v.i8, i32 0)
  store volatile i8 %r42, ptr addrspace(1) null
  %r43 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 2, i32 2, i8 %v.i8, i32 0)
  store volatile i8 %r43, ptr addrspace(1) null
  %r44 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 2, i32 0, i8 %v.i8, i32 8)
  store volatile i8 %r44, ptr addrspace(1) null
  %r45 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 4, i32 0, i8 %v.i8, i32 0)
  store volatile i8 %r45, ptr addrspace(1) null
  %r46 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 4, i32 1, i8 %v.i8, i32 0)
  store volatile i8 %r46, ptr addrspace(1) null
  %r47 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 4, i32 2, i8 %v.i8, i32 0)
  store volatile i8 %r47, ptr addrspace(1) null
  %r48 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 4, i32 0, i8 %v.i8, i32 8)
  store volatile i8 %r48, ptr addrspace(1) null
  %r49 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 5, i32 0, i8 %v.i8, i32 0)
  store volatile i8 %r49, ptr addrspace(1) null
  %r50 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 5, i32 1, i8 %v.i8, i32 0)
  store volatile i8 %r50, ptr addrspace(1) null
  %r51 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 5, i32 2, i8 %v.i8, i32 0)
  store volatile i8 %r51, ptr addrspace(1) null
  %r52 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 5, i32 0, i8 %v.i8, i32 8)
  store volatile i8 %r52, ptr addrspace(1) null
  %r53 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 7, i32 0, i8 %v.i8, i32 0)
  store volatile i8 %r53, ptr addrspace(1) null
  %r54 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 7, i32 1, i8 %v.i8, i32 0)
  store volatile i8 %r54, ptr addrspace(1) null
  %r55 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 7, i32 2, i8 %v.i8, i32 0)
  store volatile i8 %r55, ptr addrspace(1) null
  %r56 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 7, i32 0, i8 %v.i8, i32 8)
  store volatile i8 %r56, ptr addrspace(1) null
  %r57 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 8, i32 0, i8 %v.i8, i32 0)
  store volatile i8 %r57, ptr addrspace(1) null
  %r58 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 8, i32 1, i8 %v.i8, i32 0)
  store volatile i8 %r58, ptr addrspace(1) null
  %r59 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 8, i32 2, i8 %v.i8, i32 0)
  store volatile i8 %r59, ptr addrspace(1) null
  %r60 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 8, i32 0, i8 %v.i8, i32 8)
  store volatile i8 %r60, ptr addrspace(1) null
  %r61 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 10, i32 0, i8 %v.i8, i32 0)
  store volatile i8 %r61, ptr addrspace(1) null
  %r62 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 10, i32 1, i8 %v.i8, i32 0)
  store volatile i8 %r62, ptr addrspace(1) null
  %r63 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 10, i32 2, i8 %v.i8, i32 0)
  store volatile i8 %r63, ptr addrspace(1) null
  %r64 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 10, i32 0, i8 %v.i8, i32 8)
  store volatile i8 %r64, ptr addrspace(1) null
  %r65 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 11, i32 0, i8 %v.i8, i32 0)
  store volatile i8 %r65, ptr addrspace(1) null
  %r66 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 11, i32 1, i8 %v.i8, i32 0)
  store volatile i8 %r66, ptr addrspace(1) null
  %r67 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 11, i32 2, i8 %v.i8, i32 0)
  store volatile i8 %r67, ptr addrspace(1) null
  %r68 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 11, i32 0, i8 %v.i8, i32 8)
  store volatile i8 %r68, ptr addrspace(1) null
  %r69 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 12, i32 0, i8 %v.i8, i32 0)
  store volatile i8 %r69, ptr addrspace(1) null
  %r70 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 12, i32 1, i8 %v.i8, i32 0)
  store volatile i8 %r70, ptr addrspace(1) null
  %r71 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 12, i32 2, i8 %v.i8, i32 0)
  store volatile i8 %r71, ptr addrspace(1) null
  %r72 = call i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32 12, i32 0, i8 %v.i8, i32 8)
  store volatile i8 %r72, ptr addrspace(1) null
  %v.i16 = load volatile i16, ptr addrspace(1) null
  %r73 = call i16 @lgc.subgroup.broadcast__i16_i16_i32(i16 %v.i16, i32 3)
  store volatile i16 %r73, ptr addrspace(1) null
  %r74 = call i16 @lgc.subgroup.broadcast.first__i16_i16(i16 %v.i16)
  store volatile i16 %r74, ptr addrspace(1) null
  %r75 = call i16 @lgc.subgroup.shuffle__i16_i16_i32(i16 %v.i16, i32 %lane)
  store volatile i16 %r75, ptr addrspace(1) null
  %r76 = call i16 @lgc.subgroup.shuffle.xor__i16_i16_i32(i16 %v.i16, i32 %lane)
  store volatile i16 %r76, ptr addrspace(1) null
  %r77 = call i16 @lgc.subgroup.shuffle.xor__i16_i16_i32(i16 %v.i16, i32 1)
  store volatile i16 %r77, ptr addrspace(1) null
  %r78 = call i16 @lgc.subgroup.shuffle.up__i16_i16_i32(i16 %v.i16, i32 %lane)
  store volatile i16 %r78, ptr addrspace(1) null
  %r79 = call i16 @lgc.subgroup.shuffle.down__i16_i16_i32(i16 %v.i16, i32 1)
  store volatile i16 %r79, ptr addrspace(1) null
  %r80 = call i16 @lgc.subgroup.rotate__i16_i16_i32_i32(i16 %v.i16, i32 1, i32 0)
  store volatile i16 %r80, ptr addrspace(1) null
  %r81 = call i16 @lgc.subgroup.rotate__i16_i16_i32_i32(i16 %v.i16, i32 %lane, i32 16)
  store volatile i16 %r81, ptr addrspace(1) null
  %r82 = call i16 @lgc.subgroup.quad.broadcast__i16_i16_i32(i16 %v.i16, i32 2)
  store volatile i16 %r82, ptr addrspace(1) null
  %r83 = call i16 @lgc.subgroup.quad.swap__i16_i16_i32(i16 %v.i16, i32 1)
  store volatile i16 %r83, ptr addrspace(1) null
  %r84 = call i1 @lgc.subgroup.all.equal__i1_i16(i16 %v.i16)
  store volatile i1 %r84, ptr addrspace(1) null
  %r85 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 0, i32 0, i16 %v.i16, i32 0)
  store volatile i16 %r85, ptr addrspace(1) null
  %r86 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 0, i32 1, i16 %v.i16, i32 0)
  store volatile i16 %r86, ptr addrspace(1) null
  %r87 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 0, i32 2, i16 %v.i16, i32 0)
  store volatile i16 %r87, ptr addrspace(1) null
  %r88 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 0, i32 0, i16 %v.i16, i32 8)
  store volatile i16 %r88, ptr addrspace(1) null
  %r89 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 2, i32 0, i16 %v.i16, i32 0)
  store volatile i16 %r89, ptr addrspace(1) null
  %r90 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 2, i32 1, i16 %v.i16, i32 0)
  store volatile i16 %r90, ptr addrspace(1) null
  %r91 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 2, i32 2, i16 %v.i16, i32 0)
  store volatile i16 %r91, ptr addrspace(1) null
  %r92 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 2, i32 0, i16 %v.i16, i32 8)
  store volatile i16 %r92, ptr addrspace(1) null
  %r93 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 4, i32 0, i16 %v.i16, i32 0)
  store volatile i16 %r93, ptr addrspace(1) null
  %r94 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 4, i32 1, i16 %v.i16, i32 0)
  store volatile i16 %r94, ptr addrspace(1) null
  %r95 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 4, i32 2, i16 %v.i16, i32 0)
  store volatile i16 %r95, ptr addrspace(1) null
  %r96 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 4, i32 0, i16 %v.i16, i32 8)
  store volatile i16 %r96, ptr addrspace(1) null
  %r97 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 5, i32 0, i16 %v.i16, i32 0)
  store volatile i16 %r97, ptr addrspace(1) null
  %r98 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 5, i32 1, i16 %v.i16, i32 0)
  store volatile i16 %r98, ptr addrspace(1) null
  %r99 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 5, i32 2, i16 %v.i16, i32 0)
  store volatile i16 %r99, ptr addrspace(1) null
  %r100 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 5, i32 0, i16 %v.i16, i32 8)
  store volatile i16 %r100, ptr addrspace(1) null
  %r101 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 7, i32 0, i16 %v.i16, i32 0)
  store volatile i16 %r101, ptr addrspace(1) null
  %r102 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 7, i32 1, i16 %v.i16, i32 0)
  store volatile i16 %r102, ptr addrspace(1) null
  %r103 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 7, i32 2, i16 %v.i16, i32 0)
  store volatile i16 %r103, ptr addrspace(1) null
  %r104 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 7, i32 0, i16 %v.i16, i32 8)
  store volatile i16 %r104, ptr addrspace(1) null
  %r105 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 8, i32 0, i16 %v.i16, i32 0)
  store volatile i16 %r105, ptr addrspace(1) null
  %r106 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 8, i32 1, i16 %v.i16, i32 0)
  store volatile i16 %r106, ptr addrspace(1) null
  %r107 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 8, i32 2, i16 %v.i16, i32 0)
  store volatile i16 %r107, ptr addrspace(1) null
  %r108 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 8, i32 0, i16 %v.i16, i32 8)
  store volatile i16 %r108, ptr addrspace(1) null
  %r109 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 10, i32 0, i16 %v.i16, i32 0)
  store volatile i16 %r109, ptr addrspace(1) null
  %r110 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 10, i32 1, i16 %v.i16, i32 0)
  store volatile i16 %r110, ptr addrspace(1) null
  %r111 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 10, i32 2, i16 %v.i16, i32 0)
  store volatile i16 %r111, ptr addrspace(1) null
  %r112 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 10, i32 0, i16 %v.i16, i32 8)
  store volatile i16 %r112, ptr addrspace(1) null
  %r113 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 11, i32 0, i16 %v.i16, i32 0)
  store volatile i16 %r113, ptr addrspace(1) null
  %r114 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 11, i32 1, i16 %v.i16, i32 0)
  store volatile i16 %r114, ptr addrspace(1) null
  %r115 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 11, i32 2, i16 %v.i16, i32 0)
  store volatile i16 %r115, ptr addrspace(1) null
  %r116 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 11, i32 0, i16 %v.i16, i32 8)
  store volatile i16 %r116, ptr addrspace(1) null
  %r117 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 12, i32 0, i16 %v.i16, i32 0)
  store volatile i16 %r117, ptr addrspace(1) null
  %r118 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 12, i32 1, i16 %v.i16, i32 0)
  store volatile i16 %r118, ptr addrspace(1) null
  %r119 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 12, i32 2, i16 %v.i16, i32 0)
  store volatile i16 %r119, ptr addrspace(1) null
  %r120 = call i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32 12, i32 0, i16 %v.i16, i32 8)
  store volatile i16 %r120, ptr addrspace(1) null
  %v.i32 = load volatile i32, ptr addrspace(1) null
  %r121 = call i32 @lgc.subgroup.broadcast__i32_i32_i32(i32 %v.i32, i32 3)
  store volatile i32 %r121, ptr addrspace(1) null
  %r122 = call i32 @lgc.subgroup.broadcast.first__i32_i32(i32 %v.i32)
  store volatile i32 %r122, ptr addrspace(1) null
  %r123 = call i32 @lgc.subgroup.shuffle__i32_i32_i32(i32 %v.i32, i32 %lane)
  store volatile i32 %r123, ptr addrspace(1) null
  %r124 = call i32 @lgc.subgroup.shuffle.xor__i32_i32_i32(i32 %v.i32, i32 %lane)
  store volatile i32 %r124, ptr addrspace(1) null
  %r125 = call i32 @lgc.subgroup.shuffle.xor__i32_i32_i32(i32 %v.i32, i32 1)
  store volatile i32 %r125, ptr addrspace(1) null
  %r126 = call i32 @lgc.subgroup.shuffle.up__i32_i32_i32(i32 %v.i32, i32 %lane)
  store volatile i32 %r126, ptr addrspace(1) null
  %r127 = call i32 @lgc.subgroup.shuffle.down__i32_i32_i32(i32 %v.i32, i32 1)
  store volatile i32 %r127, ptr addrspace(1) null
  %r128 = call i32 @lgc.subgroup.rotate__i32_i32_i32_i32(i32 %v.i32, i32 1, i32 0)
  store volatile i32 %r128, ptr addrspace(1) null
  %r129 = call i32 @lgc.subgroup.rotate__i32_i32_i32_i32(i32 %v.i32, i32 %lane, i32 16)
  store volatile i32 %r129, ptr addrspace(1) null
  %r130 = call i32 @lgc.subgroup.quad.broadcast__i32_i32_i32(i32 %v.i32, i32 2)
  store volatile i32 %r130, ptr addrspace(1) null
  %r131 = call i32 @lgc.subgroup.quad.swap__i32_i32_i32(i32 %v.i32, i32 1)
  store volatile i32 %r131, ptr addrspace(1) null
  %r132 = call i1 @lgc.subgroup.all.equal__i1_i32(i32 %v.i32)
  store volatile i1 %r132, ptr addrspace(1) null
  %r133 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 0, i32 0, i32 %v.i32, i32 0)
  store volatile i32 %r133, ptr addrspace(1) null
  %r134 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 0, i32 1, i32 %v.i32, i32 0)
  store volatile i32 %r134, ptr addrspace(1) null
  %r135 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 0, i32 2, i32 %v.i32, i32 0)
  store volatile i32 %r135, ptr addrspace(1) null
  %r136 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 0, i32 0, i32 %v.i32, i32 8)
  store volatile i32 %r136, ptr addrspace(1) null
  %r137 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 2, i32 0, i32 %v.i32, i32 0)
  store volatile i32 %r137, ptr addrspace(1) null
  %r138 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 2, i32 1, i32 %v.i32, i32 0)
  store volatile i32 %r138, ptr addrspace(1) null
  %r139 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 2, i32 2, i32 %v.i32, i32 0)
  store volatile i32 %r139, ptr addrspace(1) null
  %r140 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 2, i32 0, i32 %v.i32, i32 8)
  store volatile i32 %r140, ptr addrspace(1) null
  %r141 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 4, i32 0, i32 %v.i32, i32 0)
  store volatile i32 %r141, ptr addrspace(1) null
  %r142 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 4, i32 1, i32 %v.i32, i32 0)
  store volatile i32 %r142, ptr addrspace(1) null
  %r143 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 4, i32 2, i32 %v.i32, i32 0)
  store volatile i32 %r143, ptr addrspace(1) null
  %r144 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 4, i32 0, i32 %v.i32, i32 8)
  store volatile i32 %r144, ptr addrspace(1) null
  %r145 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 5, i32 0, i32 %v.i32, i32 0)
  store volatile i32 %r145, ptr addrspace(1) null
  %r146 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 5, i32 1, i32 %v.i32, i32 0)
  store volatile i32 %r146, ptr addrspace(1) null
  %r147 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 5, i32 2, i32 %v.i32, i32 0)
  store volatile i32 %r147, ptr addrspace(1) null
  %r148 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 5, i32 0, i32 %v.i32, i32 8)
  store volatile i32 %r148, ptr addrspace(1) null
  %r149 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 7, i32 0, i32 %v.i32, i32 0)
  store volatile i32 %r149, ptr addrspace(1) null
  %r150 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 7, i32 1, i32 %v.i32, i32 0)
  store volatile i32 %r150, ptr addrspace(1) null
  %r151 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 7, i32 2, i32 %v.i32, i32 0)
  store volatile i32 %r151, ptr addrspace(1) null
  %r152 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 7, i32 0, i32 %v.i32, i32 8)
  store volatile i32 %r152, ptr addrspace(1) null
  %r153 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 8, i32 0, i32 %v.i32, i32 0)
  store volatile i32 %r153, ptr addrspace(1) null
  %r154 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 8, i32 1, i32 %v.i32, i32 0)
  store volatile i32 %r154, ptr addrspace(1) null
  %r155 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 8, i32 2, i32 %v.i32, i32 0)
  store volatile i32 %r155, ptr addrspace(1) null
  %r156 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 8, i32 0, i32 %v.i32, i32 8)
  store volatile i32 %r156, ptr addrspace(1) null
  %r157 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 10, i32 0, i32 %v.i32, i32 0)
  store volatile i32 %r157, ptr addrspace(1) null
  %r158 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 10, i32 1, i32 %v.i32, i32 0)
  store volatile i32 %r158, ptr addrspace(1) null
  %r159 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 10, i32 2, i32 %v.i32, i32 0)
  store volatile i32 %r159, ptr addrspace(1) null
  %r160 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 10, i32 0, i32 %v.i32, i32 8)
  store volatile i32 %r160, ptr addrspace(1) null
  %r161 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 11, i32 0, i32 %v.i32, i32 0)
  store volatile i32 %r161, ptr addrspace(1) null
  %r162 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 11, i32 1, i32 %v.i32, i32 0)
  store volatile i32 %r162, ptr addrspace(1) null
  %r163 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 11, i32 2, i32 %v.i32, i32 0)
  store volatile i32 %r163, ptr addrspace(1) null
  %r164 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 11, i32 0, i32 %v.i32, i32 8)
  store volatile i32 %r164, ptr addrspace(1) null
  %r165 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 12, i32 0, i32 %v.i32, i32 0)
  store volatile i32 %r165, ptr addrspace(1) null
  %r166 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 12, i32 1, i32 %v.i32, i32 0)
  store volatile i32 %r166, ptr addrspace(1) null
  %r167 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 12, i32 2, i32 %v.i32, i32 0)
  store volatile i32 %r167, ptr addrspace(1) null
  %r168 = call i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32 12, i32 0, i32 %v.i32, i32 8)
  store volatile i32 %r168, ptr addrspace(1) null
  %v.i64 = load volatile i64, ptr addrspace(1) null
  %r169 = call i64 @lgc.subgroup.broadcast__i64_i64_i32(i64 %v.i64, i32 3)
  store volatile i64 %r169, ptr addrspace(1) null
  %r170 = call i64 @lgc.subgroup.broadcast.first__i64_i64(i64 %v.i64)
  store volatile i64 %r170, ptr addrspace(1) null
  %r171 = call i64 @lgc.subgroup.shuffle__i64_i64_i32(i64 %v.i64, i32 %lane)
  store volatile i64 %r171, ptr addrspace(1) null
  %r172 = call i64 @lgc.subgroup.shuffle.xor__i64_i64_i32(i64 %v.i64, i32 %lane)
  store volatile i64 %r172, ptr addrspace(1) null
  %r173 = call i64 @lgc.subgroup.shuffle.xor__i64_i64_i32(i64 %v.i64, i32 1)
  store volatile i64 %r173, ptr addrspace(1) null
  %r174 = call i64 @lgc.subgroup.shuffle.up__i64_i64_i32(i64 %v.i64, i32 %lane)
  store volatile i64 %r174, ptr addrspace(1) null
  %r175 = call i64 @lgc.subgroup.shuffle.down__i64_i64_i32(i64 %v.i64, i32 1)
  store volatile i64 %r175, ptr addrspace(1) null
  %r176 = call i64 @lgc.subgroup.rotate__i64_i64_i32_i32(i64 %v.i64, i32 1, i32 0)
  store volatile i64 %r176, ptr addrspace(1) null
  %r177 = call i64 @lgc.subgroup.rotate__i64_i64_i32_i32(i64 %v.i64, i32 %lane, i32 16)
  store volatile i64 %r177, ptr addrspace(1) null
  %r178 = call i64 @lgc.subgroup.quad.broadcast__i64_i64_i32(i64 %v.i64, i32 2)
  store volatile i64 %r178, ptr addrspace(1) null
  %r179 = call i64 @lgc.subgroup.quad.swap__i64_i64_i32(i64 %v.i64, i32 1)
  store volatile i64 %r179, ptr addrspace(1) null
  %r180 = call i1 @lgc.subgroup.all.equal__i1_i64(i64 %v.i64)
  store volatile i1 %r180, ptr addrspace(1) null
  %r181 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 0, i32 0, i64 %v.i64, i32 0)
  store volatile i64 %r181, ptr addrspace(1) null
  %r182 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 0, i32 1, i64 %v.i64, i32 0)
  store volatile i64 %r182, ptr addrspace(1) null
  %r183 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 0, i32 2, i64 %v.i64, i32 0)
  store volatile i64 %r183, ptr addrspace(1) null
  %r184 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 0, i32 0, i64 %v.i64, i32 8)
  store volatile i64 %r184, ptr addrspace(1) null
  %r185 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 2, i32 0, i64 %v.i64, i32 0)
  store volatile i64 %r185, ptr addrspace(1) null
  %r186 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 2, i32 1, i64 %v.i64, i32 0)
  store volatile i64 %r186, ptr addrspace(1) null
  %r187 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 2, i32 2, i64 %v.i64, i32 0)
  store volatile i64 %r187, ptr addrspace(1) null
  %r188 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 2, i32 0, i64 %v.i64, i32 8)
  store volatile i64 %r188, ptr addrspace(1) null
  %r189 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 4, i32 0, i64 %v.i64, i32 0)
  store volatile i64 %r189, ptr addrspace(1) null
  %r190 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 4, i32 1, i64 %v.i64, i32 0)
  store volatile i64 %r190, ptr addrspace(1) null
  %r191 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 4, i32 2, i64 %v.i64, i32 0)
  store volatile i64 %r191, ptr addrspace(1) null
  %r192 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 4, i32 0, i64 %v.i64, i32 8)
  store volatile i64 %r192, ptr addrspace(1) null
  %r193 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 5, i32 0, i64 %v.i64, i32 0)
  store volatile i64 %r193, ptr addrspace(1) null
  %r194 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 5, i32 1, i64 %v.i64, i32 0)
  store volatile i64 %r194, ptr addrspace(1) null
  %r195 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 5, i32 2, i64 %v.i64, i32 0)
  store volatile i64 %r195, ptr addrspace(1) null
  %r196 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 5, i32 0, i64 %v.i64, i32 8)
  store volatile i64 %r196, ptr addrspace(1) null
  %r197 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 7, i32 0, i64 %v.i64, i32 0)
  store volatile i64 %r197, ptr addrspace(1) null
  %r198 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 7, i32 1, i64 %v.i64, i32 0)
  store volatile i64 %r198, ptr addrspace(1) null
  %r199 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 7, i32 2, i64 %v.i64, i32 0)
  store volatile i64 %r199, ptr addrspace(1) null
  %r200 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 7, i32 0, i64 %v.i64, i32 8)
  store volatile i64 %r200, ptr addrspace(1) null
  %r201 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 8, i32 0, i64 %v.i64, i32 0)
  store volatile i64 %r201, ptr addrspace(1) null
  %r202 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 8, i32 1, i64 %v.i64, i32 0)
  store volatile i64 %r202, ptr addrspace(1) null
  %r203 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 8, i32 2, i64 %v.i64, i32 0)
  store volatile i64 %r203, ptr addrspace(1) null
  %r204 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 8, i32 0, i64 %v.i64, i32 8)
  store volatile i64 %r204, ptr addrspace(1) null
  %r205 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 10, i32 0, i64 %v.i64, i32 0)
  store volatile i64 %r205, ptr addrspace(1) null
  %r206 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 10, i32 1, i64 %v.i64, i32 0)
  store volatile i64 %r206, ptr addrspace(1) null
  %r207 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 10, i32 2, i64 %v.i64, i32 0)
  store volatile i64 %r207, ptr addrspace(1) null
  %r208 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 10, i32 0, i64 %v.i64, i32 8)
  store volatile i64 %r208, ptr addrspace(1) null
  %r209 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 11, i32 0, i64 %v.i64, i32 0)
  store volatile i64 %r209, ptr addrspace(1) null
  %r210 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 11, i32 1, i64 %v.i64, i32 0)
  store volatile i64 %r210, ptr addrspace(1) null
  %r211 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 11, i32 2, i64 %v.i64, i32 0)
  store volatile i64 %r211, ptr addrspace(1) null
  %r212 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 11, i32 0, i64 %v.i64, i32 8)
  store volatile i64 %r212, ptr addrspace(1) null
  %r213 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 12, i32 0, i64 %v.i64, i32 0)
  store volatile i64 %r213, ptr addrspace(1) null
  %r214 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 12, i32 1, i64 %v.i64, i32 0)
  store volatile i64 %r214, ptr addrspace(1) null
  %r215 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 12, i32 2, i64 %v.i64, i32 0)
  store volatile i64 %r215, ptr addrspace(1) null
  %r216 = call i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32 12, i32 0, i64 %v.i64, i32 8)
  store volatile i64 %r216, ptr addrspace(1) null
  %v.f16 = load volatile half, ptr addrspace(1) null
  %r217 = call half @lgc.subgroup.broadcast__f16_f16_i32(half %v.f16, i32 3)
  store volatile half %r217, ptr addrspace(1) null
  %r218 = call half @lgc.subgroup.broadcast.first__f16_f16(half %v.f16)
  store volatile half %r218, ptr addrspace(1) null
  %r219 = call half @lgc.subgroup.shuffle__f16_f16_i32(half %v.f16, i32 %lane)
  store volatile half %r219, ptr addrspace(1) null
  %r220 = call half @lgc.subgroup.shuffle.xor__f16_f16_i32(half %v.f16, i32 %lane)
  store volatile half %r220, ptr addrspace(1) null
  %r221 = call half @lgc.subgroup.shuffle.xor__f16_f16_i32(half %v.f16, i32 1)
  store volatile half %r221, ptr addrspace(1) null
  %r222 = call half @lgc.subgroup.shuffle.up__f16_f16_i32(half %v.f16, i32 %lane)
  store volatile half %r222, ptr addrspace(1) null
  %r223 = call half @lgc.subgroup.shuffle.down__f16_f16_i32(half %v.f16, i32 1)
  store volatile half %r223, ptr addrspace(1) null
  %r224 = call half @lgc.subgroup.rotate__f16_f16_i32_i32(half %v.f16, i32 1, i32 0)
  store volatile half %r224, ptr addrspace(1) null
  %r225 = call half @lgc.subgroup.rotate__f16_f16_i32_i32(half %v.f16, i32 %lane, i32 16)
  store volatile half %r225, ptr addrspace(1) null
  %r226 = call half @lgc.subgroup.quad.broadcast__f16_f16_i32(half %v.f16, i32 2)
  store volatile half %r226, ptr addrspace(1) null
  %r227 = call half @lgc.subgroup.quad.swap__f16_f16_i32(half %v.f16, i32 1)
  store volatile half %r227, ptr addrspace(1) null
  %r228 = call i1 @lgc.subgroup.all.equal__i1_f16(half %v.f16)
  store volatile i1 %r228, ptr addrspace(1) null
  %r229 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 1, i32 0, half %v.f16, i32 0)
  store volatile half %r229, ptr addrspace(1) null
  %r230 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 1, i32 1, half %v.f16, i32 0)
  store volatile half %r230, ptr addrspace(1) null
  %r231 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 1, i32 2, half %v.f16, i32 0)
  store volatile half %r231, ptr addrspace(1) null
  %r232 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 1, i32 0, half %v.f16, i32 8)
  store volatile half %r232, ptr addrspace(1) null
  %r233 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 3, i32 0, half %v.f16, i32 0)
  store volatile half %r233, ptr addrspace(1) null
  %r234 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 3, i32 1, half %v.f16, i32 0)
  store volatile half %r234, ptr addrspace(1) null
  %r235 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 3, i32 2, half %v.f16, i32 0)
  store volatile half %r235, ptr addrspace(1) null
  %r236 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 3, i32 0, half %v.f16, i32 8)
  store volatile half %r236, ptr addrspace(1) null
  %r237 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 6, i32 0, half %v.f16, i32 0)
  store volatile half %r237, ptr addrspace(1) null
  %r238 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 6, i32 1, half %v.f16, i32 0)
  store volatile half %r238, ptr addrspace(1) null
  %r239 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 6, i32 2, half %v.f16, i32 0)
  store volatile half %r239, ptr addrspace(1) null
  %r240 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 6, i32 0, half %v.f16, i32 8)
  store volatile half %r240, ptr addrspace(1) null
  %r241 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 9, i32 0, half %v.f16, i32 0)
  store volatile half %r241, ptr addrspace(1) null
  %r242 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 9, i32 1, half %v.f16, i32 0)
  store volatile half %r242, ptr addrspace(1) null
  %r243 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 9, i32 2, half %v.f16, i32 0)
  store volatile half %r243, ptr addrspace(1) null
  %r244 = call half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32 9, i32 0, half %v.f16, i32 8)
  store volatile half %r244, ptr addrspace(1) null
  %v.f32 = load volatile float, ptr addrspace(1) null
  %r245 = call float @lgc.subgroup.broadcast__f32_f32_i32(float %v.f32, i32 3)
  store volatile float %r245, ptr addrspace(1) null
  %r246 = call float @lgc.subgroup.broadcast.first__f32_f32(float %v.f32)
  store volatile float %r246, ptr addrspace(1) null
  %r247 = call float @lgc.subgroup.shuffle__f32_f32_i32(float %v.f32, i32 %lane)
  store volatile float %r247, ptr addrspace(1) null
  %r248 = call float @lgc.subgroup.shuffle.xor__f32_f32_i32(float %v.f32, i32 %lane)
  store volatile float %r248, ptr addrspace(1) null
  %r249 = call float @lgc.subgroup.shuffle.xor__f32_f32_i32(float %v.f32, i32 1)
  store volatile float %r249, ptr addrspace(1) null
  %r250 = call float @lgc.subgroup.shuffle.up__f32_f32_i32(float %v.f32, i32 %lane)
  store volatile float %r250, ptr addrspace(1) null
  %r251 = call float @lgc.subgroup.shuffle.down__f32_f32_i32(float %v.f32, i32 1)
  store volatile float %r251, ptr addrspace(1) null
  %r252 = call float @lgc.subgroup.rotate__f32_f32_i32_i32(float %v.f32, i32 1, i32 0)
  store volatile float %r252, ptr addrspace(1) null
  %r253 = call float @lgc.subgroup.rotate__f32_f32_i32_i32(float %v.f32, i32 %lane, i32 16)
  store volatile float %r253, ptr addrspace(1) null
  %r254 = call float @lgc.subgroup.quad.broadcast__f32_f32_i32(float %v.f32, i32 2)
  store volatile float %r254, ptr addrspace(1) null
  %r255 = call float @lgc.subgroup.quad.swap__f32_f32_i32(float %v.f32, i32 1)
  store volatile float %r255, ptr addrspace(1) null
  %r256 = call i1 @lgc.subgroup.all.equal__i1_f32(float %v.f32)
  store volatile i1 %r256, ptr addrspace(1) null
  %r257 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 1, i32 0, float %v.f32, i32 0)
  store volatile float %r257, ptr addrspace(1) null
  %r258 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 1, i32 1, float %v.f32, i32 0)
  store volatile float %r258, ptr addrspace(1) null
  %r259 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 1, i32 2, float %v.f32, i32 0)
  store volatile float %r259, ptr addrspace(1) null
  %r260 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 1, i32 0, float %v.f32, i32 8)
  store volatile float %r260, ptr addrspace(1) null
  %r261 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 3, i32 0, float %v.f32, i32 0)
  store volatile float %r261, ptr addrspace(1) null
  %r262 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 3, i32 1, float %v.f32, i32 0)
  store volatile float %r262, ptr addrspace(1) null
  %r263 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 3, i32 2, float %v.f32, i32 0)
  store volatile float %r263, ptr addrspace(1) null
  %r264 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 3, i32 0, float %v.f32, i32 8)
  store volatile float %r264, ptr addrspace(1) null
  %r265 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 6, i32 0, float %v.f32, i32 0)
  store volatile float %r265, ptr addrspace(1) null
  %r266 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 6, i32 1, float %v.f32, i32 0)
  store volatile float %r266, ptr addrspace(1) null
  %r267 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 6, i32 2, float %v.f32, i32 0)
  store volatile float %r267, ptr addrspace(1) null
  %r268 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 6, i32 0, float %v.f32, i32 8)
  store volatile float %r268, ptr addrspace(1) null
  %r269 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 9, i32 0, float %v.f32, i32 0)
  store volatile float %r269, ptr addrspace(1) null
  %r270 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 9, i32 1, float %v.f32, i32 0)
  store volatile float %r270, ptr addrspace(1) null
  %r271 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 9, i32 2, float %v.f32, i32 0)
  store volatile float %r271, ptr addrspace(1) null
  %r272 = call float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32 9, i32 0, float %v.f32, i32 8)
  store volatile float %r272, ptr addrspace(1) null
  %v.f64 = load volatile double, ptr addrspace(1) null
  %r273 = call double @lgc.subgroup.broadcast__f64_f64_i32(double %v.f64, i32 3)
  store volatile double %r273, ptr addrspace(1) null
  %r274 = call double @lgc.subgroup.broadcast.first__f64_f64(double %v.f64)
  store volatile double %r274, ptr addrspace(1) null
  %r275 = call double @lgc.subgroup.shuffle__f64_f64_i32(double %v.f64, i32 %lane)
  store volatile double %r275, ptr addrspace(1) null
  %r276 = call double @lgc.subgroup.shuffle.xor__f64_f64_i32(double %v.f64, i32 %lane)
  store volatile double %r276, ptr addrspace(1) null
  %r277 = call double @lgc.subgroup.shuffle.xor__f64_f64_i32(double %v.f64, i32 1)
  store volatile double %r277, ptr addrspace(1) null
  %r278 = call double @lgc.subgroup.shuffle.up__f64_f64_i32(double %v.f64, i32 %lane)
  store volatile double %r278, ptr addrspace(1) null
  %r279 = call double @lgc.subgroup.shuffle.down__f64_f64_i32(double %v.f64, i32 1)
  store volatile double %r279, ptr addrspace(1) null
  %r280 = call double @lgc.subgroup.rotate__f64_f64_i32_i32(double %v.f64, i32 1, i32 0)
  store volatile double %r280, ptr addrspace(1) null
  %r281 = call double @lgc.subgroup.rotate__f64_f64_i32_i32(double %v.f64, i32 %lane, i32 16)
  store volatile double %r281, ptr addrspace(1) null
  %r282 = call double @lgc.subgroup.quad.broadcast__f64_f64_i32(double %v.f64, i32 2)
  store volatile double %r282, ptr addrspace(1) null
  %r283 = call double @lgc.subgroup.quad.swap__f64_f64_i32(double %v.f64, i32 1)
  store volatile double %r283, ptr addrspace(1) null
  %r284 = call i1 @lgc.subgroup.all.equal__i1_f64(double %v.f64)
  store volatile i1 %r284, ptr addrspace(1) null
  %r285 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 1, i32 0, double %v.f64, i32 0)
  store volatile double %r285, ptr addrspace(1) null
  %r286 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 1, i32 1, double %v.f64, i32 0)
  store volatile double %r286, ptr addrspace(1) null
  %r287 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 1, i32 2, double %v.f64, i32 0)
  store volatile double %r287, ptr addrspace(1) null
  %r288 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 1, i32 0, double %v.f64, i32 8)
  store volatile double %r288, ptr addrspace(1) null
  %r289 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 3, i32 0, double %v.f64, i32 0)
  store volatile double %r289, ptr addrspace(1) null
  %r290 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 3, i32 1, double %v.f64, i32 0)
  store volatile double %r290, ptr addrspace(1) null
  %r291 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 3, i32 2, double %v.f64, i32 0)
  store volatile double %r291, ptr addrspace(1) null
  %r292 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 3, i32 0, double %v.f64, i32 8)
  store volatile double %r292, ptr addrspace(1) null
  %r293 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 6, i32 0, double %v.f64, i32 0)
  store volatile double %r293, ptr addrspace(1) null
  %r294 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 6, i32 1, double %v.f64, i32 0)
  store volatile double %r294, ptr addrspace(1) null
  %r295 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 6, i32 2, double %v.f64, i32 0)
  store volatile double %r295, ptr addrspace(1) null
  %r296 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 6, i32 0, double %v.f64, i32 8)
  store volatile double %r296, ptr addrspace(1) null
  %r297 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 9, i32 0, double %v.f64, i32 0)
  store volatile double %r297, ptr addrspace(1) null
  %r298 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 9, i32 1, double %v.f64, i32 0)
  store volatile double %r298, ptr addrspace(1) null
  %r299 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 9, i32 2, double %v.f64, i32 0)
  store volatile double %r299, ptr addrspace(1) null
  %r300 = call double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32 9, i32 0, double %v.f64, i32 8)
  store volatile double %r300, ptr addrspace(1) null
  %v.v3f32 = load volatile <3 x float>, ptr addrspace(1) null
  %r301 = call <3 x float> @lgc.subgroup.broadcast__v3f32_v3f32_i32(<3 x float> %v.v3f32, i32 3)
  store volatile <3 x float> %r301, ptr addrspace(1) null
  %r302 = call <3 x float> @lgc.subgroup.broadcast.first__v3f32_v3f32(<3 x float> %v.v3f32)
  store volatile <3 x float> %r302, ptr addrspace(1) null
  %r303 = call <3 x float> @lgc.subgroup.shuffle__v3f32_v3f32_i32(<3 x float> %v.v3f32, i32 %lane)
  store volatile <3 x float> %r303, ptr addrspace(1) null
  %r304 = call <3 x float> @lgc.subgroup.shuffle.xor__v3f32_v3f32_i32(<3 x float> %v.v3f32, i32 %lane)
  store volatile <3 x float> %r304, ptr addrspace(1) null
  %r305 = call <3 x float> @lgc.subgroup.shuffle.xor__v3f32_v3f32_i32(<3 x float> %v.v3f32, i32 1)
  store volatile <3 x float> %r305, ptr addrspace(1) null
  %r306 = call <3 x float> @lgc.subgroup.shuffle.up__v3f32_v3f32_i32(<3 x float> %v.v3f32, i32 %lane)
  store volatile <3 x float> %r306, ptr addrspace(1) null
  %r307 = call <3 x float> @lgc.subgroup.shuffle.down__v3f32_v3f32_i32(<3 x float> %v.v3f32, i32 1)
  store volatile <3 x float> %r307, ptr addrspace(1) null
  %r308 = call <3 x float> @lgc.subgroup.rotate__v3f32_v3f32_i32_i32(<3 x float> %v.v3f32, i32 1, i32 0)
  store volatile <3 x float> %r308, ptr addrspace(1) null
  %r309 = call <3 x float> @lgc.subgroup.rotate__v3f32_v3f32_i32_i32(<3 x float> %v.v3f32, i32 %lane, i32 16)
  store volatile <3 x float> %r309, ptr addrspace(1) null
  %r310 = call <3 x float> @lgc.subgroup.quad.broadcast__v3f32_v3f32_i32(<3 x float> %v.v3f32, i32 2)
  store volatile <3 x float> %r310, ptr addrspace(1) null
  %r311 = call <3 x float> @lgc.subgroup.quad.swap__v3f32_v3f32_i32(<3 x float> %v.v3f32, i32 1)
  store volatile <3 x float> %r311, ptr addrspace(1) null
  %r312 = call i1 @lgc.subgroup.all.equal__i1_v3f32(<3 x float> %v.v3f32)
  store volatile i1 %r312, ptr addrspace(1) null
  %r313 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 1, i32 0, <3 x float> %v.v3f32, i32 0)
  store volatile <3 x float> %r313, ptr addrspace(1) null
  %r314 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 1, i32 1, <3 x float> %v.v3f32, i32 0)
  store volatile <3 x float> %r314, ptr addrspace(1) null
  %r315 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 1, i32 2, <3 x float> %v.v3f32, i32 0)
  store volatile <3 x float> %r315, ptr addrspace(1) null
  %r316 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 1, i32 0, <3 x float> %v.v3f32, i32 8)
  store volatile <3 x float> %r316, ptr addrspace(1) null
  %r317 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 3, i32 0, <3 x float> %v.v3f32, i32 0)
  store volatile <3 x float> %r317, ptr addrspace(1) null
  %r318 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 3, i32 1, <3 x float> %v.v3f32, i32 0)
  store volatile <3 x float> %r318, ptr addrspace(1) null
  %r319 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 3, i32 2, <3 x float> %v.v3f32, i32 0)
  store volatile <3 x float> %r319, ptr addrspace(1) null
  %r320 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 3, i32 0, <3 x float> %v.v3f32, i32 8)
  store volatile <3 x float> %r320, ptr addrspace(1) null
  %r321 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 6, i32 0, <3 x float> %v.v3f32, i32 0)
  store volatile <3 x float> %r321, ptr addrspace(1) null
  %r322 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 6, i32 1, <3 x float> %v.v3f32, i32 0)
  store volatile <3 x float> %r322, ptr addrspace(1) null
  %r323 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 6, i32 2, <3 x float> %v.v3f32, i32 0)
  store volatile <3 x float> %r323, ptr addrspace(1) null
  %r324 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 6, i32 0, <3 x float> %v.v3f32, i32 8)
  store volatile <3 x float> %r324, ptr addrspace(1) null
  %r325 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 9, i32 0, <3 x float> %v.v3f32, i32 0)
  store volatile <3 x float> %r325, ptr addrspace(1) null
  %r326 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 9, i32 1, <3 x float> %v.v3f32, i32 0)
  store volatile <3 x float> %r326, ptr addrspace(1) null
  %r327 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 9, i32 2, <3 x float> %v.v3f32, i32 0)
  store volatile <3 x float> %r327, ptr addrspace(1) null
  %r328 = call <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32 9, i32 0, <3 x float> %v.v3f32, i32 8)
  store volatile <3 x float> %r328, ptr addrspace(1) null
  ret void
}
declare <3 x float> @lgc.subgroup.arith__v3f32_i32_i32_v3f32_i32(i32, i32, <3 x float>, i32)
declare <3 x float> @lgc.subgroup.broadcast.first__v3f32_v3f32(<3 x float>)
declare <3 x float> @lgc.subgroup.broadcast__v3f32_v3f32_i32(<3 x float>, i32)
declare <3 x float> @lgc.subgroup.quad.broadcast__v3f32_v3f32_i32(<3 x float>, i32)
declare <3 x float> @lgc.subgroup.quad.swap__v3f32_v3f32_i32(<3 x float>, i32)
declare <3 x float> @lgc.subgroup.rotate__v3f32_v3f32_i32_i32(<3 x float>, i32, i32)
declare <3 x float> @lgc.subgroup.shuffle.down__v3f32_v3f32_i32(<3 x float>, i32)
declare <3 x float> @lgc.subgroup.shuffle.up__v3f32_v3f32_i32(<3 x float>, i32)
declare <3 x float> @lgc.subgroup.shuffle.xor__v3f32_v3f32_i32(<3 x float>, i32)
declare <3 x float> @lgc.subgroup.shuffle__v3f32_v3f32_i32(<3 x float>, i32)
declare double @lgc.subgroup.arith__f64_i32_i32_f64_i32(i32, i32, double, i32)
declare double @lgc.subgroup.broadcast.first__f64_f64(double)
declare double @lgc.subgroup.broadcast__f64_f64_i32(double, i32)
declare double @lgc.subgroup.quad.broadcast__f64_f64_i32(double, i32)
declare double @lgc.subgroup.quad.swap__f64_f64_i32(double, i32)
declare double @lgc.subgroup.rotate__f64_f64_i32_i32(double, i32, i32)
declare double @lgc.subgroup.shuffle.down__f64_f64_i32(double, i32)
declare double @lgc.subgroup.shuffle.up__f64_f64_i32(double, i32)
declare double @lgc.subgroup.shuffle.xor__f64_f64_i32(double, i32)
declare double @lgc.subgroup.shuffle__f64_f64_i32(double, i32)
declare float @lgc.subgroup.arith__f32_i32_i32_f32_i32(i32, i32, float, i32)
declare float @lgc.subgroup.broadcast.first__f32_f32(float)
declare float @lgc.subgroup.broadcast__f32_f32_i32(float, i32)
declare float @lgc.subgroup.quad.broadcast__f32_f32_i32(float, i32)
declare float @lgc.subgroup.quad.swap__f32_f32_i32(float, i32)
declare float @lgc.subgroup.rotate__f32_f32_i32_i32(float, i32, i32)
declare float @lgc.subgroup.shuffle.down__f32_f32_i32(float, i32)
declare float @lgc.subgroup.shuffle.up__f32_f32_i32(float, i32)
declare float @lgc.subgroup.shuffle.xor__f32_f32_i32(float, i32)
declare float @lgc.subgroup.shuffle__f32_f32_i32(float, i32)
declare half @lgc.subgroup.arith__f16_i32_i32_f16_i32(i32, i32, half, i32)
declare half @lgc.subgroup.broadcast.first__f16_f16(half)
declare half @lgc.subgroup.broadcast__f16_f16_i32(half, i32)
declare half @lgc.subgroup.quad.broadcast__f16_f16_i32(half, i32)
declare half @lgc.subgroup.quad.swap__f16_f16_i32(half, i32)
declare half @lgc.subgroup.rotate__f16_f16_i32_i32(half, i32, i32)
declare half @lgc.subgroup.shuffle.down__f16_f16_i32(half, i32)
declare half @lgc.subgroup.shuffle.up__f16_f16_i32(half, i32)
declare half @lgc.subgroup.shuffle.xor__f16_f16_i32(half, i32)
declare half @lgc.subgroup.shuffle__f16_f16_i32(half, i32)
declare i1 @lgc.subgroup.all.equal__i1_f16(half)
declare i1 @lgc.subgroup.all.equal__i1_f32(float)
declare i1 @lgc.subgroup.all.equal__i1_f64(double)
declare i1 @lgc.subgroup.all.equal__i1_i1(i1)
declare i1 @lgc.subgroup.all.equal__i1_i16(i16)
declare i1 @lgc.subgroup.all.equal__i1_i32(i32)
declare i1 @lgc.subgroup.all.equal__i1_i64(i64)
declare i1 @lgc.subgroup.all.equal__i1_i8(i8)
declare i1 @lgc.subgroup.all.equal__i1_v3f32(<3 x float>)
declare i1 @lgc.subgroup.arith__i1_i32_i32_i1_i32(i32, i32, i1, i32)
declare i1 @lgc.subgroup.broadcast.first__i1_i1(i1)
declare i1 @lgc.subgroup.broadcast__i1_i1_i32(i1, i32)
declare i1 @lgc.subgroup.quad.broadcast__i1_i1_i32(i1, i32)
declare i1 @lgc.subgroup.quad.swap__i1_i1_i32(i1, i32)
declare i1 @lgc.subgroup.rotate__i1_i1_i32_i32(i1, i32, i32)
declare i1 @lgc.subgroup.shuffle.down__i1_i1_i32(i1, i32)
declare i1 @lgc.subgroup.shuffle.up__i1_i1_i32(i1, i32)
declare i1 @lgc.subgroup.shuffle.xor__i1_i1_i32(i1, i32)
declare i1 @lgc.subgroup.shuffle__i1_i1_i32(i1, i32)
declare i16 @lgc.subgroup.arith__i16_i32_i32_i16_i32(i32, i32, i16, i32)
declare i16 @lgc.subgroup.broadcast.first__i16_i16(i16)
declare i16 @lgc.subgroup.broadcast__i16_i16_i32(i16, i32)
declare i16 @lgc.subgroup.quad.broadcast__i16_i16_i32(i16, i32)
declare i16 @lgc.subgroup.quad.swap__i16_i16_i32(i16, i32)
declare i16 @lgc.subgroup.rotate__i16_i16_i32_i32(i16, i32, i32)
declare i16 @lgc.subgroup.shuffle.down__i16_i16_i32(i16, i32)
declare i16 @lgc.subgroup.shuffle.up__i16_i16_i32(i16, i32)
declare i16 @lgc.subgroup.shuffle.xor__i16_i16_i32(i16, i32)
declare i16 @lgc.subgroup.shuffle__i16_i16_i32(i16, i32)
declare i32 @lgc.subgroup.arith__i32_i32_i32_i32_i32(i32, i32, i32, i32)
declare i32 @lgc.subgroup.broadcast.first__i32_i32(i32)
declare i32 @lgc.subgroup.broadcast__i32_i32_i32(i32, i32)
declare i32 @lgc.subgroup.quad.broadcast__i32_i32_i32(i32, i32)
declare i32 @lgc.subgroup.quad.swap__i32_i32_i32(i32, i32)
declare i32 @lgc.subgroup.rotate__i32_i32_i32_i32(i32, i32, i32)
declare i32 @lgc.subgroup.shuffle.down__i32_i32_i32(i32, i32)
declare i32 @lgc.subgroup.shuffle.up__i32_i32_i32(i32, i32)
declare i32 @lgc.subgroup.shuffle.xor__i32_i32_i32(i32, i32)
declare i32 @lgc.subgroup.shuffle__i32_i32_i32(i32, i32)
declare i64 @lgc.subgroup.arith__i64_i32_i32_i64_i32(i32, i32, i64, i32)
declare i64 @lgc.subgroup.broadcast.first__i64_i64(i64)
declare i64 @lgc.subgroup.broadcast__i64_i64_i32(i64, i32)
declare i64 @lgc.subgroup.quad.broadcast__i64_i64_i32(i64, i32)
declare i64 @lgc.subgroup.quad.swap__i64_i64_i32(i64, i32)
declare i64 @lgc.subgroup.rotate__i64_i64_i32_i32(i64, i32, i32)
declare i64 @lgc.subgroup.shuffle.down__i64_i64_i32(i64, i32)
declare i64 @lgc.subgroup.shuffle.up__i64_i64_i32(i64, i32)
declare i64 @lgc.subgroup.shuffle.xor__i64_i64_i32(i64, i32)
declare i64 @lgc.subgroup.shuffle__i64_i64_i32(i64, i32)
declare i8 @lgc.subgroup.arith__i8_i32_i32_i8_i32(i32, i32, i8, i32)
declare i8 @lgc.subgroup.broadcast.first__i8_i8(i8)
declare i8 @lgc.subgroup.broadcast__i8_i8_i32(i8, i32)
declare i8 @lgc.subgroup.quad.broadcast__i8_i8_i32(i8, i32)
declare i8 @lgc.subgroup.quad.swap__i8_i8_i32(i8, i32)
declare i8 @lgc.subgroup.rotate__i8_i8_i32_i32(i8, i32, i32)
declare i8 @lgc.subgroup.shuffle.down__i8_i8_i32(i8, i32)
declare i8 @lgc.subgroup.shuffle.up__i8_i8_i32(i8, i32)
declare i8 @lgc.subgroup.shuffle.xor__i8_i8_i32(i8, i32)
declare i8 @lgc.subgroup.shuffle__i8_i8_i32(i8, i32)
!lgc.target = !{!0}
!lgc.compute = !{!1}
!0 = !{!"gfx1100"}
!1 = !{!"workgroupSize", i32 64, i32 1, i32 1}

; RUN: lgc-opt -passes=lgc-lower-vertex-fetch %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1201 -compile -filetype=asm %s -o - | FileCheck --check-prefix=ASM %s

; Divisor 1, 3 and 0; one descriptor of each binding, 16 bytes apart.
; CHECK-DAG: [[D0:%.*]] = load <4 x i32>, ptr addrspace(4) %table,
; CHECK-DAG: [[P1:%.*]] = getelementptr inbounds i8, ptr addrspace(4) %table, i64 16
; CHECK-DAG: [[D1:%.*]] = load <4 x i32>, ptr addrspace(4) [[P1]]
; CHECK-DAG: [[P2:%.*]] = getelementptr inbounds i8, ptr addrspace(4) %table, i64 32
; CHECK-DAG: [[D2:%.*]] = load <4 x i32>, ptr addrspace(4) [[P2]]
; CHECK-DAG: call i32 @llvm.amdgcn.struct.buffer.load.i32(<4 x i32> [[D0]], i32 %instance.index,
; CHECK-DAG: udiv i32 %{{.*}}, 3
; CHECK-DAG: call i32 @llvm.amdgcn.struct.buffer.load.i32(<4 x i32> [[D2]], i32 %base.instance{{[0-9]*}},

; A division by 3 without a division.
; ASM: v_mul_hi_u32 {{.*}}, 0xaaaaaaab
define void @lgc.shader.VS() {
  %in0 = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  %in1 = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 poison)
  %in2 = call float @lgc.input.load__f32_i32_i32_i32_i32(i32 2, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %in0, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %in1, i32 512, i32 1, i32 0, i32 poison)
  call void @lgc.output.store__void_f32_i32_i32_i32_i32(float %in2, i32 512, i32 2, i32 0, i32 poison)
  ret void
}
declare float @lgc.input.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.output.store__void_f32_i32_i32_i32_i32(float, i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1}
!lgc.vertex.bindings = !{!2, !3, !4}
!lgc.vertex.attributes = !{!10, !11, !12}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{i32 0, i32 4, i32 1, i32 1}
!3 = !{i32 1, i32 4, i32 1, i32 3}
!4 = !{i32 2, i32 4, i32 1, i32 0}
!10 = !{i32 0, i32 0, i32 0, !"R32.float"}
!11 = !{i32 1, i32 1, i32 0, !"R32.float"}
!12 = !{i32 2, i32 2, i32 0, !"R32.float"}

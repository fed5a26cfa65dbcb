; RUN: lgc-opt -passes=lgc-lower-mesh -verify-each %s -o - | FileCheck %s
; RUN: lgc-opt -mcpu=gfx1030 -compile -filetype=asm -verify-each %s -o - | FileCheck --check-prefix=ASM %s

; A mesh shader that reads outputs finds them where stores put them. A vertex is position, then slot 3, of which x and y
; are stored and z is only read, then two halves of slot 4: 16 + 16 + 8 bytes, aligned to 48. A primitive is its indices, which are three dwords when one of them is
; read, then CullPrimitive, which is read but never stored: cleared like one that is stored.
; CHECK: @lgc.mesh.outputs = internal addrspace(3) global [1284 x i32] poison
; CHECK: keep:
; CHECK: store i32 0, ptr addrspace(3) {{%.*}}, align 4
; CHECK: store <2 x float> <float 1.000000e+00, float 2.000000e+00>, ptr addrspace(3) {{%.*}}, align 16
; CHECK: store <3 x i32> <i32 1, i32 2, i32 3>, ptr addrspace(3) {{%.*}}, align 16
; The memory that the shader's own fences name may be another one.
; CHECK: fence syncscope("workgroup") release
; CHECK-NEXT: call void @llvm.amdgcn.s.barrier()
; CHECK-NEXT: fence syncscope("workgroup") acquire
; CHECK: load <4 x float>, ptr addrspace(3) {{%.*}}, align 16
; CHECK: load float, ptr addrspace(3) {{%.*}}, align 8
; CHECK: load i32, ptr addrspace(3) {{%.*}}, align 4
; CHECK: load i32, ptr addrspace(3) {{%.*}}, align 4
; Halves come out of dwords.
; CHECK: [[HALVES:%.*]] = load <2 x i32>, ptr addrspace(3)
; CHECK-NEXT: [[BITS:%.*]] = trunc <2 x i32> [[HALVES]] to <2 x i16>
; CHECK-NEXT: bitcast <2 x i16> [[BITS]] to <2 x half>
; CHECK: export:
; CHECK: load <3 x i32>, ptr addrspace(3) {{%.*}}, align 16
; What is only read is no attribute.
; ASM-NOT: exp param
; ASM: exp param3 {{v[0-9]+, v[0-9]+}}, off, off
; ASM-NOT: exp param
define void @lgc.shader.MS() {
  %i = call i32 @lgc.user.data__i32_i32(i32 0)
  call void @lgc.set.mesh.outputs__void_i32_i32(i32 %i, i32 %i)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> zeroinitializer, i32 512, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float> <float 1.0, float 2.0>, i32 3, i32 0, i32 0, i32 %i)
  call void @lgc.output.store__void_v3i32_i32_i32_i32_i32(<3 x i32> <i32 1, i32 2, i32 3>, i32 525, i32 0, i32 0, i32 %i)
  call void @llvm.amdgcn.s.barrier()
  %n = add i32 %i, 1
  %p = call <4 x float> @lgc.output.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 %n)
  %z = call float @lgc.output.load__f32_i32_i32_i32_i32(i32 3, i32 2, i32 0, i32 %n)
  %c = call i32 @lgc.output.load__i32_i32_i32_i32_i32(i32 524, i32 0, i32 0, i32 %n)
  %k = call i32 @lgc.output.load__i32_i32_i32_i32_i32(i32 525, i32 1, i32 0, i32 %n)
  %h = call <2 x half> @lgc.output.load__v2f16_i32_i32_i32_i32(i32 4, i32 0, i32 0, i32 %n)
  %q = insertelement <4 x float> %p, float %z, i32 0
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %q, i32 512, i32 0, i32 0, i32 %i)
  %s = add i32 %c, %k
  %hb = bitcast <2 x half> %h to i32
  %t = add i32 %s, %hb
  call void @lgc.output.store__void_i32_i32_i32_i32_i32(i32 %t, i32 525, i32 2, i32 0, i32 %i)
  ret void
}
declare i32 @lgc.user.data__i32_i32(i32)
declare void @llvm.amdgcn.s.barrier()
declare void @lgc.set.mesh.outputs__void_i32_i32(i32, i32)
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v2f32_i32_i32_i32_i32(<2 x float>, i32, i32, i32, i32)
declare void @lgc.output.store__void_v3i32_i32_i32_i32_i32(<3 x i32>, i32, i32, i32, i32)
declare void @lgc.output.store__void_i32_i32_i32_i32_i32(i32, i32, i32, i32, i32)
declare <4 x float> @lgc.output.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <2 x half> @lgc.output.load__v2f16_i32_i32_i32_i32(i32, i32, i32, i32)
declare float @lgc.output.load__f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare i32 @lgc.output.load__i32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2, !3}
!lgc.shader.mesh = !{!4}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"mesh", !"fragment"}
!2 = !{!"mesh.outputVertices", i32 64}
!3 = !{!"mesh.outputPrimitives", i32 64}
!4 = !{!"workgroupSize", i32 32, i32 1, i32 1}

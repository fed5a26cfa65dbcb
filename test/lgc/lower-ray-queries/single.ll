; RUN: lgc-opt -passes=lgc-lower-ray-queries %s -o - | FileCheck %s --check-prefixes=CHECK,NARROW,CODE
; RUN: sed s/gfx1010/gfx1030/ %s | lgc-opt -passes=lgc-lower-ray-queries - -o - | FileCheck %s --check-prefixes=CHECK,NARROW,HARDWARE
; RUN: sed s/gfx1010/gfx1100/ %s | lgc-opt -passes=lgc-lower-ray-queries - -o - | FileCheck %s --check-prefixes=CHECK,NARROW,HARDWARE
; RUN: sed s/gfx1010/gfx1150/ %s | lgc-opt -passes=lgc-lower-ray-queries - -o - | FileCheck %s --check-prefixes=CHECK,NARROW,HARDWARE
; RUN: sed s/gfx1010/gfx1201/ %s | lgc-opt -passes=lgc-lower-ray-queries - -o - | FileCheck %s --check-prefixes=CHECK,WIDE
; A query that nothing indexes: its stack is a variable of its own. Nodes are tested by the
; instruction of targets whose nodes these are.
; CHECK: alloca [96 x i32]{{.*}}addrspace(5)
; NARROW: %stack = alloca [354 x i32]{{.*}}addrspace(5)
; WIDE: %stack = alloca [450 x i32]{{.*}}addrspace(5)
; CODE-NOT: image.bvh
; HARDWARE: call <4 x i32> @llvm.amdgcn.image.bvh.intersect.ray.i64.v3f32(i64 {{.*}}, <4 x i32> <i32 0, i32 -2097152000, i32 -1, i32 -2130705409>)
; WIDE: call { <10 x i32>, <3 x float>, <3 x float> } @llvm.amdgcn.image.bvh8.intersect.ray(i64 {{.*}}, <4 x i32> <i32 0, i32 -2096103424, i32 -1, i32 -2115501057>)
; CHECK-NOT: call {{.*}}kilnRay
; CHECK-NOT: define {{.*}}kilnRay
define void @lgc.shader.CS(i64 %structure, ptr addrspace(1) %out) {
  %q = alloca [546 x i32], align 4, addrspace(5)
  call void @lgc.ray.query.initialize__void_p5_i64_i32_i32_v3f32_f32_v3f32_f32(ptr addrspace(5) %q, i64 %structure, i32 0, i32 255, <3 x float> zeroinitializer, float 0.0, <3 x float> <float 1.0, float 0.0, float 0.0>, float 1.0)
  %more = call i1 @lgc.ray.query.proceed__i1_p5(ptr addrspace(5) %q)
  %t = call float @lgc.ray.query.get__f32_p5_i32_i32(ptr addrspace(5) %q, i32 1, i32 1)
  store float %t, ptr addrspace(1) %out
  ret void
}
declare void @lgc.ray.query.initialize__void_p5_i64_i32_i32_v3f32_f32_v3f32_f32(ptr addrspace(5), i64, i32, i32, <3 x float>, float, <3 x float>, float)
declare i1 @lgc.ray.query.proceed__i1_p5(ptr addrspace(5))
declare float @lgc.ray.query.get__f32_p5_i32_i32(ptr addrspace(5), i32, i32)
!lgc.target = !{!0}
!0 = !{!"gfx1010"}

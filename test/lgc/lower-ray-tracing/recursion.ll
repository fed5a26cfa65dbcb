; RUN: lgc-opt -passes=lgc-lower-ray-tracing %s -o - | FileCheck %s
; RUN: lgc-opt -compile -filetype=obj %s -o %t.elf && pal-verify %t.elf
; RUN: lgc-opt -compile -filetype=obj -mcpu=gfx1010 %s -o %t.elf && pal-verify %t.elf
; RUN: lgc-opt -compile -filetype=obj -mcpu=gfx1201 %s -o %t.elf && pal-verify %t.elf
; A closest hit shader that traces: tracing is a function, which calls itself one level deeper.
; CHECK: call amdgpu_gfx void @rays.trace({{.*}}, i32 1)
; CHECK: [[DEPTH:%.*]] = call i32 @kilnRayDepth(ptr addrspace(5) %0)
; CHECK: [[NEXT:%.*]] = add i32 [[DEPTH]], 1
; CHECK: call amdgpu_gfx void @rays.trace({{.*}}, i32 [[NEXT]])
; CHECK: define internal amdgpu_gfx void @rays.trace(
define void @lgc.shader.rays.0() #0 {
  %payload = alloca float, addrspace(5)
  call void @lgc.ray.trace(i64 4096, i32 1, i32 255, i32 0, i32 0, i32 0, <3 x float> zeroinitializer, float 0.0, <3 x float> splat (float 1.0), float 1.0, ptr addrspace(5) %payload)
  ret void
}
define void @lgc.shader.rays.1() #1 {
  %kind = call i32 @lgc.ray.value__i32_i32.i32(i32 14, i32 0)
  %end = icmp eq i32 %kind, 254
  br i1 %end, label %ignore, label %accept
ignore:
  call void @lgc.ray.end(i32 1)
  unreachable
accept:
  ret void
}
define void @lgc.shader.rays.2() #2 {
  %ok = call i1 @lgc.ray.report(float 1.0, i32 3)
  %more = call i1 @lgc.ray.report(float 0.5, i32 3)
  ret void
}
define void @lgc.shader.rays.3() #3 {
  %pp = alloca float, addrspace(5)
  call void @lgc.ray.trace(i64 4096, i32 1, i32 255, i32 0, i32 0, i32 0, <3 x float> zeroinitializer, float 0.0, <3 x float> splat (float 1.0), float 1.0, ptr addrspace(5) %pp)
  %payload = call ptr addrspace(5) @lgc.ray.payload()
  %record = call ptr addrspace(1) @lgc.ray.record()
  %attributes = call ptr addrspace(5) @lgc.ray.attributes()
  %x = load float, ptr addrspace(1) %record
  %y = load float, ptr addrspace(5) %attributes
  %sum = fadd float %x, %y
  store float %sum, ptr addrspace(5) %payload
  ret void
}
declare void @lgc.ray.trace(i64, i32, i32, i32, i32, i32, <3 x float>, float, <3 x float>, float, ptr addrspace(5))
declare i32 @lgc.ray.value__i32_i32.i32(i32, i32)
declare void @lgc.ray.end(i32)
declare i1 @lgc.ray.report(float, i32)
declare ptr addrspace(5) @lgc.ray.payload()
declare ptr addrspace(1) @lgc.ray.record()
declare ptr addrspace(5) @lgc.ray.attributes()
; Stage and id
attributes #0 = { "lgc-ray-shader"="8,11" }
attributes #1 = { "lgc-ray-shader"="10,12" }
attributes #2 = { "lgc-ray-shader"="9,13" }
attributes #3 = { "lgc-ray-shader"="11,14" }
!lgc.target = !{!0}
!lgc.rays = !{!1, !2}
!0 = !{!"gfx1100"}
!1 = !{!"launchUserData", i32 5}
!2 = !{!"maxRecursionDepth", i32 2}

; RUN: lgc-opt -passes=lgc-lower-ray-tracing %s -o - | FileCheck %s
; One kernel, which calls ray generation shaders by the id in the record; a trace that is made at one place and calls
; nothing that traces is inlined (by lgc-lower-ray-queries, which takes all that begins with kilnRay).
; CHECK-LABEL: define internal void @kilnRayShader.0(ptr addrspace(5) %0, ptr addrspace(5) %1, i64 %2)
; CHECK: call void @kilnRayDo.trace(i64 4096, i32 1, i32 255, {{.*}}, ptr addrspace(5) %payload, i32 1)
; An any-hit shader returns how it ended.
; CHECK-LABEL: define internal i32 @kilnRayShader.1(
; CHECK: call i32 @kilnRayHitKind(ptr addrspace(5) %0)
; CHECK: ret i32 1
; CHECK: ret i32 0
; An intersection shader ends where its report ends the ray.
; CHECK-LABEL: define internal void @kilnRayShader.2(
; CHECK: [[ANSWER:%.*]] = call i32 @kilnRayDo.report(float 1.000000e+00, i32 3, ptr addrspace(5) %0, ptr addrspace(5) %1)
; CHECK: [[END:%.*]] = icmp eq i32 [[ANSWER]], 2
; CHECK: br i1 [[END]], label %[[LEAVE:.*]], label
; CHECK: [[LEAVE]]:
; CHECK-NEXT: ret void
; Payload, attributes of the committed intersection, data of the record
; CHECK-LABEL: define internal void @kilnRayShader.3(
; CHECK: add i64 %2, 32
; CHECK: getelementptr i8, ptr addrspace(5) %0, i32 416
; CHECK: store float %sum, ptr addrspace(5) %1
; CHECK-LABEL: define internal void @kilnRayDo.trace(
; CHECK: icmp ugt i32 %11, 2
; CHECK: call <2 x i32> @lgc.user.data__v2i32_i32(i32 5)
; CHECK: call void @kilnRayTrace(
; CHECK-LABEL: define {{.*}}i32 @kilnRayCallAnyHit(
; CHECK: i32 12, label
; CHECK: call i32 @kilnRayShader.1
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK-COUNT-3: icmp ult i32
; CHECK: i32 11, label
; CHECK: call void @kilnRayShader.0(
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

; RUN: lgc-opt -passes=lgc-lower-calls,lgc-opt-inline-once -verify-each %s -o - | FileCheck %s

; Called twice, and with debug information. One that never returns leaves what is behind the call
; unreachable.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: call float @twice(
; CHECK: call float @twice(
; CHECK: call void @lines(
; CHECK-NOT: call void @never
; CHECK: unreachable
; CHECK: store float poison, ptr addrspace(1) null
; CHECK-DAG: define internal float @twice(
; CHECK-DAG: define internal void @lines(
define void @lgc.shader.CS() {
  %x = load float, ptr addrspace(1) null
  %a = call float @twice(float %x)
  %b = call float @twice(float %a)
  call void @lines(), !dbg !6
  %e = call float @never(float %b)
  store float %e, ptr addrspace(1) null
  ret void
}
define internal float @twice(float %y) {
  %n = fneg float %y
  ret float %n
}
define internal void @lines() !dbg !4 {
  ret void
}
define internal float @never(float %y) {
  store float %y, ptr addrspace(1) null
  unreachable
}
!lgc.target = !{!0}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!0 = !{!"gfx1100"}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "a.comp", directory: "")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "lines", file: !2, line: 1, type: !5, unit: !1, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !7)
!6 = !DILocation(line: 2, scope: !8)
!7 = !{}
!8 = distinct !DISubprogram(name: "main", file: !2, line: 1, type: !5, unit: !1, spFlags: DISPFlagDefinition)

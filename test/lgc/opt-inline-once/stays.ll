; RUN: lgc-opt -passes=lgc-lower-calls,lgc-opt-inline-once -verify-each %s -o - | FileCheck %s

; Called twice, with parameters that are copies, with debug information.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: call float @twice(
; CHECK: call float @twice(
; CHECK: call void @copies(
; CHECK: call void @lines(
define void @lgc.shader.CS() {
  %x = load float, ptr addrspace(1) null
  %v = alloca float, align 4, addrspace(5)
  %a = call float @twice(float %x)
  %b = call float @twice(float %a)
  call void @copies(ptr addrspace(5) byval(float) %v)
  call void @lines(), !dbg !6
  ret void
}
define internal float @twice(float %y) {
  %n = fneg float %y
  ret float %n
}
define internal void @copies(ptr addrspace(5) byval(float) %c) {
  store float 1.0, ptr addrspace(5) %c
  ret void
}
define internal void @lines() !dbg !4 {
  ret void
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

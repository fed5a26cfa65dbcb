; RUN: lgc-opt -passes=lgc-lower-calls,lgc-opt-inline-once -verify-each %s -o - | FileCheck %s

; Lines know what they are inlined at, and so do variables; a function without lines has those of the call's end only.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: #dbg_declare(ptr addrspace(5) %v, !{{[0-9]+}}, !DIExpression(), ![[VARIABLE:[0-9]+]])
; CHECK: store float 2.000000e+00, ptr addrspace(5) %v, align 4, !dbg ![[STORE:[0-9]+]]
; CHECK-NOT: define
; CHECK-DAG: ![[VARIABLE]] = !DILocation(line: 6, scope: ![[INNER:[0-9]+]], inlinedAt: ![[OUTERCALL:[0-9]+]])
; CHECK-DAG: ![[STORE]] = !DILocation(line: 7, column: 3, scope: ![[INNER]], inlinedAt: ![[OUTERCALL]])
; CHECK-DAG: ![[OUTERCALL]] = distinct !DILocation(line: 5, scope: ![[OUTER:[0-9]+]], inlinedAt: ![[MAINCALL:[0-9]+]])
; CHECK-DAG: ![[MAINCALL]] = distinct !DILocation(line: 2, scope: ![[MAIN:[0-9]+]])
; CHECK-DAG: ![[MAIN]] = distinct !DISubprogram(name: "main"
; CHECK-DAG: ![[OUTER]] = distinct !DISubprogram(name: "outer"
; CHECK-DAG: ![[INNER]] = distinct !DISubprogram(name: "inner"
define void @lgc.shader.CS() !dbg !8 {
  call void @outer(), !dbg !6
  ret void
}
define internal void @outer() !dbg !9 {
  call void @inner(), !dbg !10
  ret void, !dbg !10
}
define internal void @inner() !dbg !4 {
  %v = alloca float, align 4, addrspace(5)
  #dbg_declare(ptr addrspace(5) %v, !13, !DIExpression(), !12)
  store float 2.0, ptr addrspace(5) %v, !dbg !11
  ret void
}
!lgc.target = !{!0}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!0 = !{!"gfx1100"}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.comp", directory: "")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "inner", file: !2, line: 6, type: !5, unit: !1, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !7)
!6 = !DILocation(line: 2, scope: !8)
!7 = !{}
!8 = distinct !DISubprogram(name: "main", file: !2, line: 1, type: !5, unit: !1, spFlags: DISPFlagDefinition)
!9 = distinct !DISubprogram(name: "outer", file: !2, line: 4, type: !5, unit: !1, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 5, scope: !9)
!11 = !DILocation(line: 7, column: 3, scope: !4)
!12 = !DILocation(line: 6, scope: !4)
!13 = !DILocalVariable(name: "v", scope: !4, file: !2, line: 6, type: !14)
!14 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)

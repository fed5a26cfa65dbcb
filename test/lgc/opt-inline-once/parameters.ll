; RUN: lgc-opt -passes=lgc-lower-calls,lgc-opt-inline-once -verify-each %s -o - | FileCheck %s

; What debug information says of a parameter, it says of the argument.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: %v = alloca float
; CHECK: #dbg_declare(ptr addrspace(5) %v, !{{[0-9]+}}, !DIExpression(), !{{[0-9]+}})
; CHECK: load volatile float, ptr addrspace(5) %v
define void @lgc.shader.CS() !dbg !8 {
  %v = alloca float, align 4, addrspace(5)
  call void @f(ptr addrspace(5) %v), !dbg !6
  ret void
}
define internal void @f(ptr addrspace(5) %x) !dbg !4 {
  #dbg_declare(ptr addrspace(5) %x, !13, !DIExpression(), !12)
  %l = load volatile float, ptr addrspace(5) %x, !dbg !12
  ret void
}
!lgc.target = !{!0}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!0 = !{!"gfx1100"}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.comp", directory: "")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !2, line: 6, type: !5, unit: !1, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !7)
!6 = !DILocation(line: 2, scope: !8)
!7 = !{}
!8 = distinct !DISubprogram(name: "main", file: !2, line: 1, type: !5, unit: !1, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 6, scope: !4)
!13 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !2, line: 6, type: !14)
!14 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)

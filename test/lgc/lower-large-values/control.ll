; RUN: lgc-opt -passes=lgc-lower-large-values -verify-each %s -o - | FileCheck %s

; PHIs that exchange their values take them at the same time: each has two slots. A constant that is chosen is in memory.
; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: loop:
; CHECK-NOT: phi [200 x i32]
; CHECK: call void @llvm.memcpy.p5.p5.i64(ptr addrspace(5) align 4 [[Y:%.*]], ptr addrspace(5) align 4 [[YIN:%.*]], i64 800, i1 false)
; CHECK: call void @llvm.memcpy.p5.p5.i64(ptr addrspace(5) align 4 [[X:%.*]], ptr addrspace(5) align 4 [[XIN:%.*]], i64 800, i1 false)
; CHECK: call void @llvm.memcpy.p5.p5.i64(ptr addrspace(5) align 4 [[XIN]], ptr addrspace(5) align 4 [[Y]], i64 800, i1 false)
; CHECK: call void @llvm.memcpy.p5.p5.i64(ptr addrspace(5) align 4 [[YIN]], ptr addrspace(5) align 4 [[X]], i64 800, i1 false)
; CHECK: br i1 %more, label %loop
; CHECK: [[PLACE:%.*]] = select i1 %more, ptr addrspace(5) [[X]], ptr addrspace(5) [[ZEROS:%.*]]
; CHECK: call void @llvm.memcpy.p5.p5.i64(ptr addrspace(5) align 4 {{%.*}}, ptr addrspace(5) align 4 [[PLACE]], i64 800, i1 false)
; CHECK-NOT: {{load|store}} [200 x i32]
define void @lgc.shader.CS() {
  %a = alloca [200 x i32], addrspace(5)
  %b = alloca [200 x i32], addrspace(5)
  %va = load [200 x i32], ptr addrspace(5) %a
  %vb = load [200 x i32], ptr addrspace(5) %b
  br label %loop
loop:
  %x = phi [200 x i32] [ %va, %0 ], [ %y, %loop ]
  %y = phi [200 x i32] [ %vb, %0 ], [ %x, %loop ]
  %c = load volatile i32, ptr addrspace(5) %a
  %more = icmp eq i32 %c, 0
  br i1 %more, label %loop, label %end
end:
  %chosen = select i1 %more, [200 x i32] %x, [200 x i32] zeroinitializer
  store [200 x i32] %chosen, ptr addrspace(5) %a
  %frozen = freeze [200 x i32] %chosen
  store [200 x i32] %frozen, ptr addrspace(5) %b
  ret void
}

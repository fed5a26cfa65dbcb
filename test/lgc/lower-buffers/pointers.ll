; RUN: lgc-opt -passes=lgc-lower-buffers -verify-each %s -o - | FileCheck %s

; Pointers through loops, select, memory, comparison and subtraction.

; CHECK-LABEL: define amdgpu_cs void @_amdgpu_cs_main(
define amdgpu_cs void @_amdgpu_cs_main(<4 x i32> inreg %desc, <4 x i32> inreg %desc2, i32 %v, i1 %c) {
entry:
  %slots = alloca [2 x ptr addrspace(7)], addrspace(5)
  %i = bitcast <4 x i32> %desc to i128
  %r = inttoptr i128 %i to ptr addrspace(8)
  %p = addrspacecast ptr addrspace(8) %r to ptr addrspace(7)
  %i2 = bitcast <4 x i32> %desc2 to i128
  %r2 = inttoptr i128 %i2 to ptr addrspace(8)
  %p2 = addrspacecast ptr addrspace(8) %r2 to ptr addrspace(7)
  br label %loop
loop:
  ; One buffer: only the offset goes round. Two buffers: the resource too.
  ; CHECK: [[OFF:%.*]] = phi i32 [ 0, %entry ], [ [[NEXT:%.*]], %loop ]
  ; CHECK: [[RSRC:%.*]] = phi ptr addrspace(8) [ %r2, %entry ], [ %r, %loop ]
  ; CHECK: [[OFF2:%.*]] = phi i32 [ 0, %entry ], [ [[OFF]], %loop ]
  ; CHECK: buffer.load.i32(ptr addrspace(8) %r, i32 [[OFF]]
  ; CHECK: buffer.store.i32({{.*}}ptr addrspace(8) [[RSRC]], i32 [[OFF2]]
  ; CHECK: [[NEXT]] = add i32 [[OFF]], 64
  %ptr = phi ptr addrspace(7) [ %p, %entry ], [ %next, %loop ]
  %other = phi ptr addrspace(7) [ %p2, %entry ], [ %ptr, %loop ]
  %lv = load i32, ptr addrspace(7) %ptr, align 4
  store i32 %lv, ptr addrspace(7) %other
  %next = getelementptr i8, ptr addrspace(7) %ptr, i32 64
  %done = icmp eq i32 %lv, 0
  br i1 %done, label %exit, label %loop
exit:
  ; CHECK: [[S:%.*]] = select i1 %c, ptr addrspace(8) %r, ptr addrspace(8) %r2
  %q = getelementptr i8, ptr addrspace(7) %p, i32 12
  %s = select i1 %c, ptr addrspace(7) %q, ptr addrspace(7) %p2
  ; CHECK: [[SO:%.*]] = select i1 %c, i32 12, i32 0
  ; CHECK: store <4 x i32> {{.*}}, ptr addrspace(5) [[SLOT:%.*]], align 32
  ; CHECK: [[SLOT16:%.*]] = getelementptr inbounds i8, ptr addrspace(5) [[SLOT]], i32 16
  ; CHECK: store i32 [[SO]], ptr addrspace(5) [[SLOT16]], align 16
  %slot = getelementptr ptr addrspace(7), ptr addrspace(5) %slots, i32 1
  store ptr addrspace(7) %s, ptr addrspace(5) %slot, align 32
  ; CHECK: load <4 x i32>
  ; CHECK: load i32, ptr addrspace(5) {{.*}}, align 16
  %back = load ptr addrspace(7), ptr addrspace(5) %slots, align 32
  ; CHECK: icmp eq i32
  ; CHECK: icmp eq i128
  %same = icmp eq ptr addrspace(7) %back, %s
  %same32 = zext i1 %same to i32
  %a = ptrtoint ptr addrspace(7) %next to i64
  %b = ptrtoint ptr addrspace(7) %q to i64
  ; CHECK: sub i64 {{.*}}, 12
  %diff = sub i64 %a, %b
  store i64 %diff, ptr addrspace(7) %p
  ; CHECK: extractelement <4 x i32> {{.*}}, i64 2
  %n = call i32 @lgc.buffer.length__i32_p7(ptr addrspace(7) %s)
  store i32 %n, ptr addrspace(7) %p
  store i32 %same32, ptr addrspace(7) %p
  ; CHECK-NOT: addrspace(7)
  ; CHECK: ret void
  ret void
}
declare i32 @lgc.buffer.length__i32_p7(ptr addrspace(7)) memory(none)
!lgc.target = !{!0}
!0 = !{!"gfx1100"}

; RUN: lgc-opt -passes=lgc-lower-private-globals %s -o - | FileCheck %s
; RUN: lgc-opt -passes='lgc-lower-private-globals,function(instcombine)' %s -o - | FileCheck --check-prefix=OPT %s

; A large initializer is copied from constant memory; a table that nobody writes is read from there.
; CHECK: @table = private unnamed_addr addrspace(4) constant [20 x i32]
; CHECK: call void @llvm.memcpy.p5.p4.i64(ptr addrspace(5) {{.*}}%primes, ptr addrspace(4) {{.*}}@table, i64 80, i1 false)
; CHECK: call void @llvm.memset.p5.i64(ptr addrspace(5) {{.*}}%zeros, i8 0, i64 400, i1 false)
; OPT-NOT: %primes
; OPT: getelementptr {{.*}}ptr addrspace(4) @table
@primes = internal addrspace(5) global [20 x i32] [i32 2, i32 3, i32 5, i32 7, i32 11, i32 13, i32 17, i32 19, i32 23, i32 29, i32 31, i32 37, i32 41, i32 43, i32 47, i32 53, i32 59, i32 61, i32 67, i32 71]

define void @lgc.shader.CS() {
  %zeros = alloca [100 x i32], addrspace(5)
  %out = alloca i32, addrspace(5)
  store [100 x i32] zeroinitializer, ptr addrspace(5) %zeros
  %i = load volatile i32, ptr addrspace(5) %out
  %p = getelementptr i32, ptr addrspace(5) @primes, i32 %i
  %q = getelementptr i32, ptr addrspace(5) %zeros, i32 %i
  store volatile i32 %i, ptr addrspace(5) %q
  %v = load i32, ptr addrspace(5) %p
  store volatile i32 %v, ptr addrspace(5) %out
  ret void
}

; RUN: not lgc-opt -passes=lgc-verify-ops %s -o /dev/null 2>&1 | FileCheck %s
; The set number must be a constant.
; CHECK: internal error: lgc.resource.ptr: operand 0 is not 'const' in
define void @lgc.shader.CS(i32 %set) {
  %h = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 %set, i32 0, i32 0)
  %b = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h, i32 0)
  store i32 1, ptr addrspace(7) %b
  ret void
}
declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32)
declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32)

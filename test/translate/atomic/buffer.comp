#version 460
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_memory_scope_semantics : require
// Every atomic on buffers and shared memory: relaxed operations, memory semantics as fences that name
// the storage class.
// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// CHECK-LABEL: define void @lgc.shader.CS()
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { int i; uint u; float f; uint64_t l; uint o[]; };
shared uint s;
void main() {
  // CHECK: atomicrmw add ptr addrspace(7) {{.*}} syncscope("agent") monotonic
  // CHECK: atomicrmw min ptr addrspace(7) {{.*}} syncscope("agent") monotonic
  // CHECK: atomicrmw max ptr addrspace(7)
  // CHECK: atomicrmw umin ptr addrspace(7)
  // CHECK: atomicrmw umax ptr addrspace(7)
  // CHECK: atomicrmw and ptr addrspace(7)
  // CHECK: atomicrmw or ptr addrspace(7)
  // CHECK: atomicrmw xor ptr addrspace(7)
  // CHECK: atomicrmw xchg ptr addrspace(7)
  // CHECK: cmpxchg ptr addrspace(7) {{.*}}, i32 3, i32 4 syncscope("agent") monotonic monotonic
  o[0] = uint(atomicAdd(i, 1));
  o[1] = uint(atomicMin(i, 1));
  o[2] = uint(atomicMax(i, 1));
  o[3] = atomicMin(u, 1);
  o[4] = atomicMax(u, 1);
  o[5] = atomicAnd(u, 1);
  o[6] = atomicOr(u, 1);
  o[7] = atomicXor(u, 1);
  o[8] = atomicExchange(u, 1);
  o[9] = atomicCompSwap(u, 3, 4);
  // CHECK: atomicrmw fadd ptr addrspace(7) {{.*}} float {{.*}} syncscope("agent") monotonic, align 4, !amdgpu
  // CHECK: atomicrmw add ptr addrspace(7) {{.*}} i64 1 syncscope("agent") monotonic, align 8
  atomicAdd(f, 2.0);
  atomicAdd(l, 1ul);
  // CHECK: fence syncscope("workgroup") release, !mmra [[LOCAL:![0-9]+]]
  // CHECK: atomicrmw add ptr addrspace(3) {{.*}} syncscope("workgroup") monotonic
  // CHECK: fence syncscope("workgroup") acquire, !mmra [[LOCAL]]
  atomicAdd(s, 1, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
            gl_SemanticsAcquireRelease);
  // CHECK: load atomic i32, ptr addrspace(7) {{.*}} syncscope("agent") monotonic, align 4
  // CHECK-NEXT: fence syncscope("agent") acquire, !mmra [[GLOBAL:![0-9]+]]
  // CHECK: fence syncscope("agent") release, !mmra [[GLOBAL]]
  // CHECK: store atomic i32 {{.*}} syncscope("agent") monotonic, align 4
  const uint v = atomicLoad(u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
  atomicStore(o[10], v, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
}
// CHECK-DAG: [[LOCAL]] = !{!"amdgpu-synchronize-as", !"local"}
// CHECK-DAG: [[GLOBAL]] = !{!"amdgpu-synchronize-as", !"global"}

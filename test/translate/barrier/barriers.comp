#version 460
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
// Barriers: the release half stands before, the acquire half behind the execution barrier.
// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// RUN: amdllpc -gfxip=10.3.0 %s -filetype=asm -o - | FileCheck --check-prefix=GFX10 %s
// RUN: amdllpc -gfxip=12.0.1 %s -filetype=asm -o - | FileCheck --check-prefix=GFX12 %s
layout(local_size_x = 256) in;
layout(binding = 0) buffer B { uint b[]; };
shared uint s[256];
void main() {
  // CHECK-LABEL: define void @lgc.shader.CS()
  // CHECK: fence syncscope("workgroup") release, !mmra [[LOCAL:![0-9]+]]
  // CHECK-NEXT: call void @lgc.control.barrier__void_i32(i32 1)
  // CHECK-NEXT: fence syncscope("workgroup") acquire, !mmra [[LOCAL]]
  // GFX10: ds_write_b32
  // GFX10: s_waitcnt lgkmcnt(0)
  // GFX10-NEXT: s_barrier
  // GFX10-NOT: buffer_gl
  // GFX10: ds_read_b32
  // GFX12: ds_store_b32
  // GFX12: s_wait_dscnt 0x0
  // GFX12-NEXT: s_barrier_signal -1
  // GFX12-NEXT: s_barrier_wait -1
  // GFX12-NOT: global_inv
  // GFX12: ds_load_b32
  const uint i = gl_LocalInvocationIndex;
  s[i] = i;
  barrier();
  b[i] = s[i ^ 255];
  // CHECK: fence syncscope("agent") acq_rel{{$}}
  // GFX10: s_waitcnt_vscnt null, 0x0
  // GFX10: buffer_gl1_inv
  // GFX10-NEXT: buffer_gl0_inv
  // GFX12: s_wait_storecnt 0x0
  // GFX12: global_inv scope:SCOPE_DEV
  memoryBarrier();
  // CHECK: fence syncscope("wavefront") release
  // CHECK-NEXT: call void @lgc.control.barrier__void_i32(i32 0)
  // CHECK-NEXT: fence syncscope("wavefront") acquire
  subgroupBarrier();
  b[i + 256] = b[i ^ 1];
  // CHECK: fence syncscope("workgroup") release, !mmra [[GLOBAL:![0-9]+]]
  // CHECK-NEXT: call void @lgc.control.barrier__void_i32(i32 1)
  // CHECK-NEXT: fence syncscope("workgroup") acquire, !mmra [[GLOBAL]]
  // GFX10: s_waitcnt_vscnt null, 0x0
  // GFX10: s_barrier
  // GFX10: buffer_gl0_inv
  // GFX12: s_wait_storecnt 0x0
  // GFX12: s_barrier_wait -1
  // GFX12: global_inv scope:SCOPE_SE
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                 gl_SemanticsAcquireRelease);
  b[i + 512] = b[i ^ 2];
}
// CHECK-DAG: [[LOCAL]] = !{!"amdgpu-synchronize-as", !"local"}
// CHECK-DAG: [[GLOBAL]] = !{!"amdgpu-synchronize-as", !"global"}

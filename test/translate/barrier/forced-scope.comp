#version 460
#extension GL_KHR_memory_scope_semantics : require
// The memory scope of barriers is the caller's.
// RUN: amdllpc %s -emit-lgc -force-memory-barrier-scope=2 -o - | FileCheck %s --check-prefix=WORKGROUP
// RUN: amdllpc %s -emit-lgc -force-memory-barrier-scope=1 -o - | FileCheck %s --check-prefix=DEVICE
// RUN: not amdllpc %s -force-memory-barrier-scope=9 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: memory scope 9 is not defined
layout(local_size_x = 256) in;
layout(binding = 0) buffer B { uint b[]; };
void main() {
  // WORKGROUP: fence syncscope("workgroup") acq_rel
  // DEVICE: fence syncscope("agent") acq_rel
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  b[0] = 1;
  // WORKGROUP: fence syncscope("workgroup") release
  // DEVICE: fence syncscope("agent") release
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
}

// SPDX-License-Identifier: MIT
// One barrier orders writes of a buffer and of workgroup memory.
//! buffer 0.0 u32 : 0*128
//! expect 0.0 u32 : eval 128 { i < 64 ? i * 3 : (127 - i) * 3 + (127 - i) + 1 }
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) coherent buffer A { uint a[]; };
shared uint s[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  a[i] = i * 3;
  s[i] = i + 1;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup,
                 gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease);
  a[64 + i] = a[63 - i] + s[63 - i];
}

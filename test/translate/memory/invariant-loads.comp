#version 460
// Loads are invariant through uniform blocks and through restrict buffers that the shader does not
// write. A readonly buffer without restrict may be bound to the same memory as the written one.
// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
layout(local_size_x = 64) in;
layout(binding = 0) uniform U { uint a; } u;
layout(binding = 1) restrict readonly buffer R { uint v[]; } r;
layout(binding = 2) readonly buffer P { uint v[]; } p;
layout(binding = 3) buffer W { uint v[]; } w;
void main() {
  // CHECK-LABEL: define void @lgc.shader.CS()
  // CHECK: load i32, ptr addrspace(7) {{.*}}, align {{[0-9]+}}, !invariant.load
  // CHECK: load i32, ptr addrspace(7) {{.*}}, align {{[0-9]+}}, !invariant.load
  // CHECK: load i32, ptr addrspace(7) {{.*}}, align {{[0-9]+$}}
  // CHECK-NOT: !invariant.load
  // CHECK: ret void
  const uint i = gl_GlobalInvocationID.x;
  const uint a = u.a;
  const uint b = r.v[a];
  const uint c = p.v[b];
  w.v[i] = c;
}

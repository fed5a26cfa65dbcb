// The lanes that leave in the same iteration add up among themselves: the sum must stand inside the
// loop, in front of its back edge, and not behind it.
// RUN: amdllpc -gfxip=gfx1100 -filetype=asm -o - %s | FileCheck %s
// RUN: amdllpc -gfxip=gfx1030 -llpc-opt=quick -filetype=asm -o - %s | FileCheck %s
// CHECK: s_branch [[BODY:.LBB0_[0-9]+]]
// CHECK: {{^}}[[LATCH:.LBB0_[0-9]+]]:
// CHECK: s_cbranch_execz
// CHECK: {{^}}[[BODY]]:
// CHECK: row_xmask:8
// CHECK: s_branch [[LATCH]]
// CHECK: s_endpgm
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, x = data[i], r = 0;
  for (;;) {
    x = x * 3u + 1u;
    if ((x & 7u) == 0u) {
      r = subgroupAdd(x);
      break;
    }
  }
  data[i] = r;
}

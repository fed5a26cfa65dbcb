#version 460
// Accesses of different resources in the two sides of a branch stay there: merging them would make
// the descriptor divergent.
// RUN: amdllpc -gfxip=11.0.0 -filetype=asm %s -o - | FileCheck %s
// CHECK-LABEL: _amdgpu_cs_main:
// CHECK-NOT: v_readfirstlane
// CHECK-COUNT-2: image_load
// CHECK-NOT: v_readfirstlane
// CHECK: buffer_store_b128
// CHECK-NOT: v_readfirstlane
// CHECK: buffer_store_b128
// CHECK-NOT: v_readfirstlane
// CHECK: s_endpgm
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler2D a;
layout(set = 0, binding = 1) uniform sampler2D b;
layout(set = 0, binding = 2) buffer C { vec4 c[]; };
layout(set = 0, binding = 3) buffer D { vec4 d[]; } dd[4];
layout(set = 0, binding = 4) buffer E { vec4 d[]; } ee[4];
void main() {
  const uint i = gl_GlobalInvocationID.x;
  const vec4 x = c[i];
  vec4 r;
  if (x.z > 0)
    r = texelFetch(a, ivec2(x.xy), 0);
  else
    r = texelFetch(b, ivec2(x.xy), 0);
  if (x.w > 0)
    dd[1].d[i] = r;
  else
    ee[2].d[i] = r;
}

// SPDX-License-Identifier: MIT
// Transposes a tile in workgroup memory.
//! buffer 0.0 u32 : 0..1023
//! buffer 0.1 u32 : 0*1024
//! dispatch 2 2
//! expect 0.1 u32 : eval 1024 { (i % 32) * 32 + i / 32 }
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

shared uint tile[16][17];
void main() {
  uvec2 g = gl_GlobalInvocationID.xy, l = gl_LocalInvocationID.xy, w = gl_WorkGroupID.xy;
  tile[l.y][l.x] = a[g.y * 32 + g.x];
  barrier();
  uvec2 t = w.yx * 16 + l;
  b[t.y * 32 + t.x] = tile[l.x][l.y];
}

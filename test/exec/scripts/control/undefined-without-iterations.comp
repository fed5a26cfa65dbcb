// SPDX-License-Identifier: MIT
// Variables that a loop writes, if it has an iteration at all, read behind it. The header computes
// something else in between.
//! buffer 0.1 u32 : 0*33
//! buffer 0.3 u32 : random(5,66)
//! push u32 : 2 1 7 5
//! compare 0.1 u32
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
//! requires shaderInt16
layout(local_size_x = 33) in;
layout(set = 0, binding = 1) buffer List { uint list[]; };
layout(set = 0, binding = 3) readonly buffer In { uvec2 data[]; };
layout(push_constant) uniform Push { uvec4 push; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint a = data[i].x, b = data[i].y, k = 0u, z;
  bool y, has = false, q = (a & 1u) == 0u, same = push.y > 3u;
  uint16_t h = uint16_t(b & 255u);
  if (((a >> 9) & 3u) != 1u) {
    for (uint n = 0u; n < (uint(h) & 3u); ++n) {
      z = q ? 0u : push.x;
      y = same;
      has = true;
    }
    if (has) {
      b += z;
      if (y)
        k += 3u;
    }
  }
  list[i] = a + b * 3u + k * 11u + (q ? 32u : 0u);
}

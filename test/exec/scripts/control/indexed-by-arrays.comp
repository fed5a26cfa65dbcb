// SPDX-License-Identifier: MIT
// Arrays in registers whose elements are indices into others, and a vector put back as it was: the
// keys of each invocation in order, and the greatest sum on the way.
//! buffer 0.0 u32 : 4 1 3 2  9 8 7 6  1 2 3 4  5 5 1 9
//! buffer 0.1 u32 : 0*32
//! buffer rounds u32 : 4
//! bind 0.2 uniform rounds
//! expect 0.1 u32 : 1 2 3 4  6 7 8 9  1 2 3 4  1 5 5 9
//! ... 4 1 3 5  9 8 7 9  1 2 3 7  5 5 1 12
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer A { uvec4 a[]; };
layout(set = 0, binding = 1) buffer B { uvec4 b[]; };
layout(set = 0, binding = 2) uniform R { uint rounds; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint keys[4] = uint[](a[i].x, a[i].y, a[i].z, a[i].w);
  uint places[4] = uint[](0u, 1u, 2u, 3u);
  for (uint k = 0u; k < rounds; ++k)
    for (uint j = 0u; j < 3u; ++j)
      if (keys[places[j]] > keys[places[j + 1u]]) {
        uint place = places[j];
        places[j] = places[j + 1u];
        places[j + 1u] = place;
      }
  b[i] = uvec4(keys[places[0]], keys[places[1]], keys[places[2]], keys[places[3]]);
  uvec4 v = a[i];
  for (uint k = 0u; k < rounds; ++k) {
    uvec4 old = v;
    v[k & 3u] += k;
    if (k < 3u)
      v = old;
  }
  b[i + 4u] = v;
}

// SPDX-License-Identifier: MIT
// Values that trade places around a loop.
//! buffer 0.0 u32 : random(8,128)
//! buffer 0.1 u32 : 0*128
//! push u32 : 23
//! compare 0.1 u32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uvec2 a[]; };
layout(set = 0, binding = 1) buffer B { uvec2 b[]; };
layout(push_constant) uniform P { uint count; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint x = a[i].x, y = a[i].y, sum = 0;
  for (uint k = 0; k < count; ++k) {
    sum = sum * 3 + (x ^ k);
    uint t = x; x = y; y = t;
  }
  b[i] = uvec2(x, y + sum);
}

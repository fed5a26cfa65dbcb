// SPDX-License-Identifier: MIT
// Trip counts differ from lane to lane; continue and break inside nested loops.
//! buffer 0.0 u32 : 0..127
//! buffer 0.1 u32 : 0*128
//! dispatch 2
//! compare 0.1 u32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, n = a[i], sum = 0;
  for (uint x = 0; x < n; ++x) {
    if (x % 5 == 3) continue;
    uint y = x;
    while (true) {
      if (y > 40) break;
      y += 3 + (x & 1);
      if ((y & 7) == 1) continue;
      sum += y;
    }
    if (sum > 20000u + n) break;
    do { sum ^= y; y >>= 1; } while (y != 0);
  }
  b[i] = sum;
}

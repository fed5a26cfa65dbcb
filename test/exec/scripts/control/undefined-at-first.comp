// SPDX-License-Identifier: MIT
// Variables that only the first iteration writes, read by the next ones: loops with the same number
// of iterations for all, with different ones, and both in turn.
//! foreach COUNT push.x (a[i]&7u) (push.x+(i&1u))
//! buffer 0.0 u32 : 0..127
//! buffer 0.1 u32 : 0*512
//! push u32 : 5 3 2 7
//! dispatch 2
//! compare 0.1 u32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(push_constant) uniform Push { uvec4 push; };
void main() {
  uint i = gl_GlobalInvocationID.x, x, z, sum = 0;
  bool y;
  float f;
  for (uint n = 0; n < COUNT; ++n) {
    uint t = a[(i + n * 3) & 127u] * 5u, other = a[(i + n * 7) & 127u] ^ 5u;
    uint same = push[n & 3u] * 3u;
    sum += (t > other ? t : other) + same;
    if (same > 7u)
      sum += 3u;
    if (n > 0u) {
      sum += x * 3u + z + uint(f);
      if (y)
        sum ^= 0x5555u;
    }
    x = sum * 7u;
    z = push.y * n;
    y = (sum & 3u) == 1u;
    f = float(sum & 255u);
    b[(i + n * 128u) & 511u] = sum ^ t;
  }
  b[i] += sum;
}

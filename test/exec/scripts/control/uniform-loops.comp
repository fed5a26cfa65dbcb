// SPDX-License-Identifier: MIT
// Loops that all lanes leave together, from several places and through each other, with conditions
// of single lanes carried around them, barriers and returns in between.
//! buffer 0.0 u32 : 0 1 2 3 5 8 13 21
//! buffer 0.1 u32 : 0*512
//! buffer 0.2 u32 : 0*8
//! dispatch 8
//! expect 0.1 u32 : eval 512 { b0_0[i / 64] == 0 ? 0 : b0_0[i / 64] == 21 ? 999 : fold(k, 0, (b0_0[i / 64] < 8 ? b0_0[i / 64] : 8), 0, acc ^ (i % 64 > k ? 1 : 0)) * 1000 + (b0_0[i / 64] < 8 ? b0_0[i / 64] : 8) * 64 + ((i % 64) ^ 1) + (b0_0[i / 64] & 1) * 50000 }
//! expect 0.2 u32 : eval 8 { b0_0[i] == 0 ? 0 : b0_0[i] == 21 ? 1 : 2 }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
shared uint s[64];
void main() {
  uint g = gl_WorkGroupID.x, i = gl_LocalInvocationID.x, n = a[g], turns = 0;
  if (n == 0)
    return;
  bool odd = false;
  for (uint k = 0; k < 100; ++k) {
    if (k == n)
      break;
    for (uint m = 0; m < 3; ++m) {
      if (m == 1)
        continue;
      if (m == 2)
        break;
      s[i] = k * 64 + i;
      barrier();
      turns = s[i ^ 1];
      barrier();
    }
    odd = odd != (i > k);
    if (k == 7) {
      if (n == 21) {
        b[g * 64 + i] = 999;
        c[g] = 1;
        return;
      }
      break;
    }
  }
  uint r = (odd ? 1000 : 0) + turns + 64;
  if ((n & 1) != 0)
    r += 50000;
  b[g * 64 + i] = r;
  c[g] = 2;
}

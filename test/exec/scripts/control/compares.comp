// SPDX-License-Identifier: MIT
// Branches on compares of what all invocations share with what each has.
//! buffer 0.0 u32 : random(8,256)
//! buffer 0.1 u32 : 0*64
//! push u32 : 40 bits(0xFFFFFFE0) 7 100 5 11
//! compare 0.1 u32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(push_constant) uniform P { uint limit; int low; uint step, count; int scale; uint first; };
shared uint t[128];

void main() {
  uint i = gl_LocalInvocationIndex, sum = 0;
  t[i] = i;
  t[i + 64] = i ^ 21;
  int n = int(a[i] & 63) - 50;
  if (i <= limit) sum += a[i ^ 1];
  if (limit <= i) sum ^= a[i ^ 2];
  if (n <= low) sum += a[i ^ 3] * 3;
  if (low <= n) sum ^= a[i ^ 4] * 5;
  float f = float(a[i + 64] & 3) - 1.0, g = float(a[i + 128] & 3);
  if (f != g) { for (uint k = 0; k < uint(g) + 2; ++k) sum += a[k + i]; }
  // Leaves of a loop at several places, each by a compare with a shared bound.
  for (uint k = i & 15; k < count; k += step) {
    if (k >= limit + (i & 1) || n + int(k) < low) continue;
    if (int(k) * scale <= n) { sum += k; continue; }
    if (limit > k + i) break;
    sum = sum * 3 + a[k];
  }
  // Two bounds in one condition.
  for (uint k = 0; k < count; ++k) {
    barrier();
    uint m = k * 64 + i;
    if (m >= first && m < limit) {
      t[m - first] = a[m] ^ sum;
    } else if (m >= uint(scale) && m < first) {
      t[m + 64] = 0;
    }
  }
  barrier();
  sum += t[i] * 5 + t[i + 64];
  b[i] = sum;
}

// SPDX-License-Identifier: MIT
// Conditions that lanes have of their own, more than there are scalar registers for their masks; some change in a branch
// and in a loop for a part of the lanes. The loops' masks wait in memory, too.
//! subgroup 0 32 64
//! buffer 0.0 u32 : eval 64 { u32(i * 2654435761 + 99) }
//! buffer 0.1 u32 : 0*64
//! expect 0.1 u32 : eval 64 { u32(fold(k, 0, 120, 0, acc * 3 + ((
//! ...   b0_0[i] * (2 * k + 1) >> 7 & 1) ^ (k % 4 == 1 && i % 3 == 0 ? 1 : 0) ^ (k % 4 == 2 ? i % 5 & 1 : 0))) ^
//! ...   fold(k, 0, 120, 0, acc * 5 + (b0_0[i] * (2 * k + 1) >> 7 & 1))) }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

#define TEN(F, k) F(k) F(k + 1) F(k + 2) F(k + 3) F(k + 4) F(k + 5) F(k + 6) F(k + 7) F(k + 8) F(k + 9)
#define ALL(F) \
  TEN(F, 0) TEN(F, 10) TEN(F, 20) TEN(F, 30) TEN(F, 40) TEN(F, 50) TEN(F, 60) TEN(F, 70) TEN(F, 80) TEN(F, 90) \
  TEN(F, 100) TEN(F, 110)
#define COMPARE(k) m[k] = (x * (2 * (k) + 1) >> 7 & 1) != 0;
#define COUNT(k) early = early * 5 + (m[k] ? 1 : 0);
#define BRANCHED(k) if ((k) % 4 == 1) m[k] = !m[k];
#define LOOPED(k) if ((k) % 4 == 2) m[k] = !m[k];
#define LATE(k) late = late * 3 + (m[k] ? 1 : 0);

void main() {
  uint i = gl_LocalInvocationIndex, x = a[i], early = 0, late = 0;
  bool m[120];
  ALL(COMPARE)
  ALL(COUNT)
  if (i % 3 == 0) {
    ALL(BRANCHED)
  }
  for (uint n = 0; n < i % 5; ++n) {
    ALL(LOOPED)
  }
  ALL(LATE)
  b[i] = early ^ late;
}

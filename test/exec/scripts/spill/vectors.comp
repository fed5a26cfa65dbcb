// SPDX-License-Identifier: MIT
// More values than there are vector registers, in all lanes, across a branch whose lanes part, a loop that lanes leave one
// after the other, a barrier, and a loop of all lanes.
//! subgroup 0 32 64
//! buffer 0.0 u32 : eval 20480 { u32(i * 2654435761) }
//! buffer 0.1 u32 : 0*20480
//! expect 0.1 u32 : eval 20480 { u32(
//! ...   i % 320 % 7 == 2 ? fold(n, 0, 3, b0_0[i], acc * 9 + n + 1) :
//! ...   i % 320 % 7 == 3 ? b0_0[i] * 3 + i / 320 % 2 * (i / 320) :
//! ...   i % 320 % 7 == 4 ? fold(n, 0, i / 320 % 5, b0_0[i], acc * 5 + n) :
//! ...   i % 320 % 7 == 5 ? b0_0[i] + b0_0[(i / 320 ^ 1) * 320] : b0_0[i]) }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
shared uint others[64];

#define TEN(F, k) F(k) F(k + 1) F(k + 2) F(k + 3) F(k + 4) F(k + 5) F(k + 6) F(k + 7) F(k + 8) F(k + 9)
#define FORTY(F, k) TEN(F, k) TEN(F, k + 10) TEN(F, k + 20) TEN(F, k + 30)
#define ALL(F) FORTY(F, 0) FORTY(F, 40) FORTY(F, 80) FORTY(F, 120) FORTY(F, 160) FORTY(F, 200) FORTY(F, 240) FORTY(F, 280)
#define LOAD(k) v[k] = a[i * 320 + (k)];
#define BRANCHED(k) if ((k) % 7 == 3) v[k] = v[k] * 3 + i;
#define ELSE(k) if ((k) % 7 == 3) v[k] = v[k] * 3;
#define LOOPED(k) if ((k) % 7 == 4) v[k] = v[k] * 5 + n;
#define SHARED(k) if ((k) % 7 == 5) v[k] += other;
#define ROUNDS(k) if ((k) % 7 == 2) v[k] = v[k] * 9 + n + 1;
#define STORE(k) b[i * 320 + (k)] = v[k];

void main() {
  uint i = gl_LocalInvocationIndex, v[320];
  ALL(LOAD)
  if (i % 2 == 1) {
    ALL(BRANCHED)
  } else {
    ALL(ELSE)
  }
  for (uint n = 0; n < i % 5; ++n) {
    ALL(LOOPED)
  }
  others[i] = v[0];
  barrier();
  uint other = others[i ^ 1];
  ALL(SHARED)
  for (uint n = 0; n < 3; ++n) {
    ALL(ROUNDS)
  }
  ALL(STORE)
}

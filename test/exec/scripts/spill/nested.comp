// SPDX-License-Identifier: MIT
// Values that lanes share, and loops in loops that lanes leave one after the other, in the middle of which most of both is
// needed: the masks of lanes that wait, too, are somewhere else meanwhile.
//! subgroup 0 32 64
//! buffer 0.0 uniform u32 : eval 96 { u32(i * 2654435761 + 777) }
//! buffer 0.1 u32 : 0*64
//! expect 0.1 u32 : eval 64 { u32(fold(k, 0, 96, 0, acc + b0_0[k] * (i % 3 * (i % 4) * (i % 5) * (i % 2 + 1) + 1))) }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform A { uvec4 a[24]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

#define TEN(F, k) F(k) F(k + 1) F(k + 2) F(k + 3) F(k + 4) F(k + 5) F(k + 6) F(k + 7) F(k + 8) F(k + 9)
#define ALL(F) \
  TEN(F, 0) TEN(F, 10) TEN(F, 20) TEN(F, 30) TEN(F, 40) TEN(F, 50) TEN(F, 60) TEN(F, 70) TEN(F, 80) F(90) F(91) F(92) \
  F(93) F(94) F(95)
#define LOAD(k) u[k] = a[(k) / 4][(k) % 4];
#define ADD(k) sum += u[k];

void main() {
  uint i = gl_LocalInvocationIndex, u[96], sum = 0;
  ALL(LOAD)
  for (uint x = 0; x < i % 3; ++x) {
    uint y = 0;
    while (true) {
      if (y >= i % 4)
        break;
      ++y;
      for (uint z = 0; z < i % 5; ++z) {
        uint w = 0;
        do {
          ALL(ADD)
          if (i % 2 == 0)
            break;
          ++w;
        } while (w < 2);
      }
    }
  }
  ALL(ADD)
  b[i] = sum;
}

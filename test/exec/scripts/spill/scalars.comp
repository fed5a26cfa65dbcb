// SPDX-License-Identifier: MIT
// More values that all lanes share than there are scalar registers, across a loop of all lanes, a loop that lanes leave
// one after the other, and a branch whose lanes part.
//! subgroup 0 32 64
//! buffer 0.0 uniform u32 : eval 160 { u32(i * 2654435761 + 12345) }
//! buffer 0.1 u32 : 0*10304
//! expect 0.1 u32 : eval 10304 { u32(
//! ...   i >= 10240 ? (i % 2 == 0 ? 0 : fold(j, 0, 160, 0, j % 5 == 2 ? acc * 3 ^ b0_0[j] : acc)) + fold(n, 0, i % 64 % 7, 0, acc * 5 + b0_0[8] + b0_0[9]) :
//! ...   i % 160 % 5 == 1 ? fold(n, 0, b0_0[0] % 4 + 2, b0_0[i % 160], acc * 9 + n + 1) : b0_0[i % 160]) }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform A { uvec4 a[40]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

#define TEN(F, k) F(k) F(k + 1) F(k + 2) F(k + 3) F(k + 4) F(k + 5) F(k + 6) F(k + 7) F(k + 8) F(k + 9)
#define FORTY(F, k) TEN(F, k) TEN(F, k + 10) TEN(F, k + 20) TEN(F, k + 30)
#define ALL(F) FORTY(F, 0) FORTY(F, 40) FORTY(F, 80) FORTY(F, 120)
#define LOAD(k) u[k] = a[(k) / 4][(k) % 4];
#define ROUNDS(k) if ((k) % 5 == 1) u[k] = u[k] * 9 + n + 1;
#define JOIN(k) if ((k) % 5 == 2) sum = sum * 3 ^ u[k];
#define STORE(k) b[i * 160 + (k)] = u[k];

void main() {
  uint i = gl_LocalInvocationIndex, u[160], sum = 0, more = 0;
  ALL(LOAD)
  for (uint n = 0; n < a[0].x % 4 + 2; ++n) {
    ALL(ROUNDS)
  }
  for (uint n = 0; n < i % 7; ++n)
    more = more * 5 + u[8] + u[9];
  if (i % 2 == 1) {
    ALL(JOIN)
  }
  ALL(STORE)
  b[10240 + i] = sum + more;
}

// SPDX-License-Identifier: MIT
// Addresses that differ by constants, of buffers and of shared memory: upwards, downwards, further apart
// than instructions have room for, from places in front of what they read, and as code repeats them that
// multiplies and adds again each time. 64 invocations.
//! buffer 0.0 u32 : eval 16384 { i * 7 + 3 }
//! buffer 0.1 u32 : 0*4096
//! buffer 0.2 u32 : 0*1024
//! push u32 : 4
//! expect 0.1 u32 : eval 4096 { (i / 64 < 32 ? i / 64 : i / 64 * 5 - 100) * 7 * 64 + i % 64 * 7 + 3 }
//! expect 0.2@0 u32 : eval 64 { ((i % 8 + 1) * 33 + i / 8) * 7 + 3 + 1000 }
//! expect 0.2@256 u32 : eval 64 { ((i % 8 + 3) * 33 + i / 8) * 7 + 3 + 2000 }
//! expect 0.2@512 u32 : eval 64 { (i + 64) * 7 + 3 }
//! expect 0.2@768 u32 : eval 64 { i * 3 }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(push_constant) uniform P { uint four; };
shared uint s[512];
void main() {
  uint x = gl_LocalInvocationIndex;
  // Rows of 64; the second half five rows apart, from row 60 on.
#define ROW(n) b[x + 64 * n] = a[(n < 32 ? n : n * 5 - 100) * 64 + x];
#define ROWS(n) ROW(n) ROW((n + 1)) ROW((n + 2)) ROW((n + 3))
  ROWS(0) ROWS(4) ROWS(8) ROWS(12)
  ROW(31) ROW(30) ROW(29) ROW(28) ROW(27) ROW(26) ROW(25) ROW(24)
  ROWS(16) ROWS(20)
  ROWS(32) ROWS(36) ROWS(40) ROWS(44) ROWS(48) ROWS(52) ROWS(56) ROWS(60)

  // The same sums in different words, in shared memory.
  uint column = x % 8, row = x / 8;
  for (uint i = 0; i < 8; ++i)
    s[x + 64 * i] = a[x + 64 * i];
  barrier();
  c[x] = s[(column + 1) * 33 + row] + 1000;
  c[x + 64] = s[33 * (column + 3) + row] + 2000;
  // From in front of the array: x - 4 * four is less than zero for some.
  uint back = x - 4 * four;
  c[x + 128] = s[back + 80];
  barrier();
  s[back + 16] = x;
  s[back + 80] = 2 * x;
  barrier();
  c[x + 192] = s[x] + s[(x * 2 + 128) / 2];
}

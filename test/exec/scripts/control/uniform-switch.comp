// SPDX-License-Identifier: MIT
// A function whose lanes never part: switches with shared cases and ways through, nested branches,
// values of each lane that meet behind them. Its branches get no structure.
//! buffer 0.0 u32 : 0 1 2 3 4 5 6 7 8 9 10 11
//! buffer 0.1 u32 : 0*384
//! dispatch 12
//! expect 0.1 u32 : eval 384 { ((i / 32) == 0 ? (i % 32) : (i / 32) == 1 || (i / 32) == 2 ? (i % 32) + 20 + (i / 32) : (i / 32) == 3 ? 1030 + (i % 32) * 2 : (i / 32) == 4 ? 1000 : (i / 32) == 7 ? (i % 32) * (i % 32) : (i / 32) == 8 ? ((i % 32) * 3) ^ (i / 32) : 77) + (i / 32 > 5 ? i % 32 < 9 ? 100 : 200 : i % 32 < 4 ? 300 : 0) }
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint g = gl_WorkGroupID.x, i = gl_LocalInvocationID.x, n = a[g], r = 0;
  bool small = i < 4;
  switch (n) {
  case 0: r = i; break;
  case 1:
  case 2: r = i + 20 + n; break;
  default: r = 77; break;
  case 3: r = 30 + i * 2; // falls through
  case 4: r += 1000; break;
  case 7: r = i * i; break;
  case 8: r = (i * 3) ^ n; break;
  }
  if (n > 5)
    small = i < 9;
  if (n > 5)
    r += small ? 100 : 200;
  else
    r += small ? 300 : 0;
  b[g * 32 + i] = r;
}

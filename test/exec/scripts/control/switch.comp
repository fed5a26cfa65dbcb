// SPDX-License-Identifier: MIT
// Cases that share code, fall through and jump to the end; a default in the middle.
//! buffer 0.0 i32 : -1..14 100 -100 2147483647 -2147483648
//! append i32 : 0*44
//! buffer 0.1 i32 : 0*64
//! expect 0.1 i32 : eval 64 { b0_0[i] == 0 ? 10 : b0_0[i] == 1 || b0_0[i] == 2 ? 20 : b0_0[i] == 3 ? 1030 : b0_0[i] == 4 ? 1000 : b0_0[i] == 7 ? 70 : b0_0[i] == -100 ? 5 : -1 }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { int a[]; };
layout(set = 0, binding = 1) buffer B { int b[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  int r = 0;
  switch (a[i]) {
  case 0: r = 10; break;
  case 1:
  case 2: r = 20; break;
  default: r = -1; break;
  case 3: r = 30; // falls through
  case 4: r += 1000; break;
  case 7: r = 70; break;
  case -100: r = 5; break;
  }
  b[i] = r;
}

// SPDX-License-Identifier: MIT
// Constant addresses in workgroup memory, further apart than an offset field reaches.
//! buffer 0.0 u32 : random(3,256)
//! expect 0.0@1024 u32 : eval 4 { i == 0 ? b0_0[112] + b0_0[192] : i == 1 ? b0_0[120] ^ b0_0[184] : i == 2 ? b0_0[128] : b0_0[131] + 5 }
//! append u32 : 0*4
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) buffer A { uint a[260]; };
shared uint s[2048];
void main() {
  uint i = gl_LocalInvocationIndex;
  s[i * 5 + 300] = a[i];
  barrier();
  if (i == 7) {
    a[256] = s[860] + s[1260];
    a[257] = s[900] ^ s[1220];
    s[1800] = s[940];
    s[1900] = 5;
  }
  barrier();
  if (i == 200) {
    a[258] = s[1800];
    a[259] = s[1900] + s[955];
  }
}

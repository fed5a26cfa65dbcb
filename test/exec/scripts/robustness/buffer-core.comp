// SPDX-License-Identifier: MIT
// robustBufferAccess alone: a load beyond the end gives zero or something of the buffer, of which
// all numbers are below 1000; a store changes nothing outside of the buffer. Elements of vectors may
// also be (0, 0, 0, 1).
//! requires robustBufferAccess
//! buffer 0.0 u32 : 100..115
//! buffer 0.1 u32 : 7*16
//! buffer 0.2 uniform u32 : 100..115
//! buffer guard u32 : 5*64
//! buffer 0.3 u32 : 0*128
//! bind 0.4 storage guard
//! push u32 : 16 1000 100000 16777216 1073741824 4294967295 2147483647 2147483648
//! expect 0.3 u32 : 1*128
//! expect guard u32 : 5*64
#version 450
layout(local_size_x = 128) in;
layout(push_constant) uniform P { uint far[8]; };
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
layout(set = 0, binding = 2) uniform U { uvec4 u[1024]; };
layout(set = 0, binding = 3) buffer O { uint o[]; };
layout(set = 0, binding = 4) buffer G { uint g[]; };
bool isFine(uint v) { return v == 0 || (v >= 100 && v < 116); }
bool isFine(uvec4 v) {
  return v == uvec4(0, 0, 0, 1) || (isFine(v.x) && isFine(v.y) && isFine(v.z) && isFine(v.w));
}
void main() {
  uint i = gl_LocalInvocationID.x, n = far[i % 8] + i / 8;
  bool fine = (n < 16 || isFine(a[n])) && isFine(u[min(4 + i, 1023)]) && isFine(u[4 + n % 1000]);
  b[n] = 3;
  atomicAdd(b[n], 1);
  o[i] = uint(fine) * (g[i / 2] == 5 ? 1 : 0);
}

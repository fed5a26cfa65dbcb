// SPDX-License-Identifier: MIT
// Whether a carry makes a sum wrap whose own carry is another.
//! buffer 0.0 u32 : 0xffffffff 0xffffffff 0xffffffff 0xffffffff 1 2 3 4 0xffffffff 1 0xfffffffe 1 0xffffffff 1 0 0xffffffff
//! buffer 0.1 u32 : 0*12
//! expect 0.1 u32 : 8 8 7 7 8 8 7 7 0 0 1 1
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer A { uvec4 a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uvec4 v = a[i];
  uint carry;
  uaddCarry(v.x, v.y, carry);
  uint sum = v.z + v.w;
  b[i] = ~carry < sum ? 7u : 8u;
  uint bit = v.x + v.y < v.x ? 1u : 0u;
  b[i + 4u] = sum + bit < bit ? 7u : 8u;
  uint last;
  uaddCarry(sum, carry & 1u, last);
  b[i + 8u] = last;
}

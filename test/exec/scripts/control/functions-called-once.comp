// SPDX-License-Identifier: MIT
// Functions with one call, which move into their callers: several ends, one behind a branch, a loop with a variable around a call, a call
// in a function that is called twice, results that PHIs behind the call read.
//! buffer 0.0 i32 : -32..31
//! buffer 0.1 i32 : 0*64
//! expect 0.1 i32 : eval 64 { (b0_0[i] < 0 ? 0 - b0_0[i] : (b0_0[i] > 20 ? 20 : b0_0[i] * 2)) + 6 * (b0_0[i] % 2 == 0 ? 5 : b0_0[i]) + 2 * b0_0[i] + 3 }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { int a[]; };
layout(set = 0, binding = 1) buffer B { int b[]; };

int ends(int x) {
  if (x < 0)
    return -x;
  if (x > 20)
    return 20;
  return x * 2;
}
int weight(int k, int x) { int w = k; w *= x; return w; }
int weights(int x) {
  int sum = 0;
  for (int k = 1; k < 4; ++k)
    sum += weight(k, x);
  return sum;
}
int odd(int x) { return x + 1; }
int twice(int x) { return odd(x); }
void main() {
  uint i = gl_GlobalInvocationID.x;
  int x = a[i], w = 5;
  if ((x & 1) != 0)
    w = x;
  b[i] = ends(x) + weights(w) + twice(x) + twice(x + 1);
}

// RUN: amdllpc %s -emit-llvm -o - | FileCheck %s
// Ordered and unordered comparisons with NaN (0/0), signedness, logic, select.
// All operands are specialization constants, so the results are folded: what is stored is what the
// SPIR-V specification says, worked out by hand.
#version 460
layout(local_size_x = 1) in;
layout(constant_id = 0) const float n_ = 0.0;
layout(constant_id = 1) const float x_ = 1.5;
layout(constant_id = 2) const int a_ = -1;
layout(constant_id = 3) const uint u_ = 1u;
layout(constant_id = 4) const bool t_ = true;
layout(constant_id = 5) const bool f_ = false;
layout(binding = 0) volatile buffer Out { int o[]; };
void main() {
  float n = n_;
  float x = x_;
  int a = a_;
  uint u = u_;
  bool t = t_;
  bool f = f_;
  // CHECK: buffer.store.i32(i32 0,
  o[0] = int(n / n == n / n);
  // CHECK: buffer.store.i32(i32 1,
  o[1] = int(n / n != n / n);
  // CHECK: buffer.store.i32(i32 1,
  o[2] = int(!(n / n < x));
  // CHECK: buffer.store.i32(i32 1,
  o[3] = int(isnan(n / n));
  // CHECK: buffer.store.i32(i32 1,
  o[4] = int(isinf(x / n));
  // CHECK: buffer.store.i32(i32 0,
  o[5] = int(isnan(x));
  // CHECK: buffer.store.i32(i32 1,
  o[6] = int(a < int(u));
  // CHECK: buffer.store.i32(i32 0,
  o[7] = int(uint(a) < u);
  // CHECK: buffer.store.i32(i32 0,
  o[8] = int(t && f);
  // CHECK: buffer.store.i32(i32 1,
  o[9] = int(t || f);
  // CHECK: buffer.store.i32(i32 0,
  o[10] = int(t ^^ t);
  // CHECK: buffer.store.i32(i32 0,
  o[11] = int(t == f);
  // CHECK: buffer.store.i32(i32 1,
  o[12] = int(t != f);
  // CHECK: buffer.store.i32(i32 3,
  o[13] = t ? 3 : 4;
  // CHECK: buffer.store.i32(i32 1,
  o[14] = int(any(bvec3(f, f, t)));
  // CHECK: buffer.store.i32(i32 0,
  o[15] = int(all(bvec3(t, t, f)));
  // CHECK: buffer.store.i32(i32 3,
  o[16] = mix(ivec2(1, 2), ivec2(3, 4), bvec2(t, f)).x;
  // CHECK: buffer.store.i32(i32 2,
  o[17] = mix(ivec2(1, 2), ivec2(3, 4), bvec2(t, f)).y;
  // CHECK: buffer.store.i32(i32 0,
  o[18] = int(equal(ivec2(a, 1), ivec2(-1, 2)).y);
  // CHECK: buffer.store.i32(i32 1,
  o[19] = int(x > 1.0);
  // CHECK: buffer.store.i32(i32 1,
  o[20] = int(-n == n);
}

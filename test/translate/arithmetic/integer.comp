// RUN: amdllpc %s -emit-llvm -o - | FileCheck %s
// OpSDiv truncates, OpSMod has the sign of the divisor; wrap-around.
// All operands are specialization constants, so the results are folded: what is stored is what the
// SPIR-V specification says, worked out by hand.
#version 460
layout(local_size_x = 1) in;
layout(constant_id = 0) const int a_ = -7;
layout(constant_id = 1) const int b_ = 2;
layout(constant_id = 2) const int c_ = -2;
layout(constant_id = 3) const int m_ = -2147483648;
layout(constant_id = 4) const uint u_ = 4294967289u;
layout(constant_id = 5) const uint v_ = 3u;
layout(binding = 0) volatile buffer Out { int o[]; };
void main() {
  int a = a_;
  int b = b_;
  int c = c_;
  int m = m_;
  uint u = u_;
  uint v = v_;
  // CHECK: buffer.store.i32(i32 -3,
  o[0] = a / b;
  // CHECK: buffer.store.i32(i32 3,
  o[1] = a / c;
  // CHECK: buffer.store.i32(i32 1,
  o[2] = a % b;
  // CHECK: buffer.store.i32(i32 -1,
  o[3] = a % c;
  // CHECK: buffer.store.i32(i32 -1,
  o[4] = 7 % c;
  // CHECK: buffer.store.i32(i32 2147483647,
  o[5] = m - 1;
  // CHECK: buffer.store.i32(i32 0,
  o[6] = m * m;
  // CHECK: buffer.store.i32(i32 -2147483648,
  o[7] = -m;
  // CHECK: buffer.store.i32(i32 1431655763,
  o[8] = int(u / v);
  // CHECK: buffer.store.i32(i32 0,
  o[9] = int(u % v);
  // CHECK: buffer.store.i32(i32 -21,
  o[10] = int(u * v);
  // CHECK: buffer.store.i32(i32 7,
  o[11] = abs(a);
  // CHECK: buffer.store.i32(i32 -1,
  o[12] = sign(a);
  // CHECK: buffer.store.i32(i32 -1,
  o[13] = int(uaddCarry(u, v + 3u, v));
  // CHECK: buffer.store.i32(i32 0,
  o[14] = int(v);
}

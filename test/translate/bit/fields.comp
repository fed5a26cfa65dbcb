// RUN: amdllpc %s -emit-llvm -o - | FileCheck %s
// Shifts, bit fields of no, some and all bits, counts.
// All operands are specialization constants, so the results are folded: what is stored is what the
// SPIR-V specification says, worked out by hand.
#version 460
layout(local_size_x = 1) in;
layout(constant_id = 0) const int a_ = -7;
layout(constant_id = 1) const uint u_ = 0xdeadbeefu;
layout(constant_id = 2) const int s_ = 4;
layout(constant_id = 3) const int z_ = 0;
layout(constant_id = 4) const int w_ = 32;
layout(binding = 0) volatile buffer Out { int o[]; };
void main() {
  int a = a_;
  uint u = u_;
  int s = s_;
  int z = z_;
  int w = w_;
  // CHECK: buffer.store.i32(i32 -1,
  o[0] = a >> s;
  // CHECK: buffer.store.i32(i32 233495534,
  o[1] = int(u >> s);
  // CHECK: buffer.store.i32(i32 -354685200,
  o[2] = int(u << s);
  // CHECK: buffer.store.i32(i32 6,
  o[3] = ~a;
  // CHECK: buffer.store.i32(i32 -3,
  o[4] = a ^ s;
  // CHECK: buffer.store.i32(i32 190,
  o[5] = int(bitfieldExtract(u, 8, 8));
  // CHECK: buffer.store.i32(i32 -66,
  o[6] = bitfieldExtract(int(u), 8, 8);
  // CHECK: buffer.store.i32(i32 0,
  o[7] = int(bitfieldExtract(u, s, z));
  // CHECK: buffer.store.i32(i32 -559038737,
  o[8] = int(bitfieldExtract(u, z, w));
  // CHECK: buffer.store.i32(i32 -1,
  o[9] = bitfieldExtract(a, 31, 1);
  // CHECK: buffer.store.i32(i32 3984,
  o[10] = bitfieldInsert(z, a, 4, 8);
  // CHECK: buffer.store.i32(i32 4,
  o[11] = bitfieldInsert(a, s, z, w);
  // CHECK: buffer.store.i32(i32 -7,
  o[12] = bitfieldInsert(a, s, s, z);
  // CHECK: buffer.store.i32(i32 -142756485,
  o[13] = int(bitfieldReverse(u));
  // CHECK: buffer.store.i32(i32 24,
  o[14] = bitCount(u);
}

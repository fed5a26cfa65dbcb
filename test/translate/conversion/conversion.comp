// RUN: amdllpc %s -emit-llvm -o - | FileCheck %s
// Truncation toward zero, sign and zero extension, rounding to nearest even, half precision.
// All operands are specialization constants, so the results are folded: what is stored is what the
// SPIR-V specification says, worked out by hand.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const float f_ = -1.75;
layout(constant_id = 1) const int i_ = -3;
layout(constant_id = 2) const uint u_ = 4294967295u;
layout(constant_id = 3) const double d_ = 16777217.0;
layout(constant_id = 4) const bool t_ = true;
layout(constant_id = 5) const float h_ = 65519.0;
layout(constant_id = 6) const float q_ = 0.00000005;
layout(binding = 0) volatile buffer Out { int o[]; };
void main() {
  float f = f_;
  int i = i_;
  uint u = u_;
  double d = d_;
  bool t = t_;
  float h = h_;
  float q = q_;
  // CHECK: buffer.store.i32(i32 -1,
  o[0] = int(f);
  // CHECK: buffer.store.i32(i32 3,
  o[1] = int(uint(1.99 - f));
  // CHECK: buffer.store.i32(i32 -1069547520,
  o[2] = floatBitsToInt(float(i));
  // CHECK: buffer.store.i32(i32 1333788672,
  o[3] = floatBitsToInt(float(u));
  // CHECK: buffer.store.i32(i32 1266679808,
  o[4] = floatBitsToInt(float(d));
  // CHECK: buffer.store.i32(i32 -1,
  o[5] = int(int64_t(i) >> 32);
  // CHECK: buffer.store.i32(i32 0,
  o[6] = int(uint64_t(u) >> 32);
  // CHECK: buffer.store.i32(i32 41,
  o[7] = int(int8_t(300 + i));
  // CHECK: buffer.store.i32(i32 253,
  o[8] = int(uint8_t(i));
  // CHECK: buffer.store.i32(i32 -128,
  o[9] = int(int8_t(131 + i));
  // CHECK: buffer.store.i32(i32 1065353216,
  o[10] = floatBitsToInt(float(t));
  // CHECK: buffer.store.i32(i32 2080358144,
  o[11] = int(packHalf2x16(vec2(f, h)));
  // CHECK: buffer.store.i32(i32 -3,
  o[12] = int(int16_t(i));
  // CHECK: buffer.store.i32(i32 65533,
  o[13] = int(uint16_t(i));
  // CHECK: buffer.store.i32(i32 1065361408,
  o[14] = floatBitsToInt(unpackHalf2x16(uint(0x3c00 + int(t))).x);
  // CHECK: buffer.store.i32(i32 1,
  o[15] = int(packHalf2x16(vec2(q, 0)));
  // CHECK: buffer.store.i32(i32 -1073217536,
  o[16] = int(unpackDouble2x32(double(i)).y);
}

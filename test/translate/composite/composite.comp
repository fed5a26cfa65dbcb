// RUN: amdllpc %s -emit-llvm -o - | FileCheck %s
// Matrices are columns: products, transpose, determinant, dynamic indices, insertion, shuffles.
// All operands are specialization constants, so the results are folded: what is stored is what the
// SPIR-V specification says, worked out by hand.
#version 460
layout(local_size_x = 1) in;
layout(constant_id = 0) const float a_ = 2.0;
layout(constant_id = 1) const int i_ = 1;
layout(binding = 0) volatile buffer Out { int o[]; };
void main() {
  float a = a_;
  int i = i_;
  // CHECK: buffer.store.i32(i32 1084227584,
  o[0] = floatBitsToInt((mat2(1, 2, 3, 4) * vec2(a, 1))[0]);
  // CHECK: buffer.store.i32(i32 1082130432,
  o[1] = floatBitsToInt((vec2(a, 1) * mat2(1, 2, 3, 4))[0]);
  // CHECK: buffer.store.i32(i32 1086324736,
  o[2] = floatBitsToInt((mat2x3(1, 2, 3, 4, 5, 6) * mat2(a, 0, 0, 1))[0].z);
  // CHECK: buffer.store.i32(i32 1077936128,
  o[3] = floatBitsToInt(transpose(mat2x3(1, 2, 3, 4, 5, a))[2].x);
  // CHECK: buffer.store.i32(i32 1092616192,
  o[4] = floatBitsToInt(outerProduct(vec2(1, a), vec3(3, 4, 5))[2].y);
  // CHECK: buffer.store.i32(i32 1073741824,
  o[5] = floatBitsToInt(determinant(mat2(a, 2, 3, 4)));
  // CHECK: buffer.store.i32(i32 1090519040,
  o[6] = floatBitsToInt(matrixCompMult(mat2(1, 2, 3, 4), mat2(a))[1].y);
  // CHECK: buffer.store.i32(i32 1082130432,
  o[7] = floatBitsToInt(vec4(a, 3, 4, 5).wzyx[i]);
  // CHECK: buffer.store.i32(i32 8,
  o[8] = ivec3(7, 8, 9)[i];
  // CHECK: buffer.store.i32(i32 1092616192,
  o[10] = floatBitsToInt(dot(vec3(a, 1, 0), vec3(3, 4, 5)));
  // CHECK: buffer.store.i32(i32 1086324736,
  o[11] = floatBitsToInt((a * mat2(1, 2, 3, 4))[1].x);
  // CHECK: buffer.store.i32(i32 1056964608,
  o[12] = floatBitsToInt(inverse(mat2(a, 0, 0, 4))[0].x);
}

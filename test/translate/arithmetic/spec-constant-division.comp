// Divisors that need care, in specialization constant operations: folded all the same.
// RUN: amdllpc -emit-lgc -o - %s | FileCheck %s
// RUN: amdllpc -spec=0=9 -spec=1=4 -emit-lgc -o - %s | FileCheck --check-prefix=SPEC %s
#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const int a = 7;
layout(constant_id = 1) const int zero = 0;
const int b = a / -1;
const int c = a % -1;
const int d = a / zero; // some value
layout(set = 0, binding = 0) buffer Data { int data[]; };
void main() {
  // CHECK: store i32 -7,
  // SPEC: store i32 -9,
  data[0] = b;
  // CHECK: store i32 0,
  // SPEC: store i32 0,
  data[1] = c;
  // CHECK: store i32
  // SPEC: store i32 2,
  data[2] = d;
}

// RUN: amdllpc %s -emit-llvm -o - | FileCheck %s
// Loops, switches and early returns that fold: the stored values are those that the program means.
#version 460
layout(local_size_x = 1) in;
layout(constant_id = 0) const int N_ = 5;
layout(binding = 0) volatile buffer Out { int o[]; };
int early(int n) {
  for (int i = 0; i < 10; ++i) {
    if (i * i > n)
      return i;
    if (i == 7)
      continue;
  }
  return -1;
}
int choose(int n) {
  int x = 0;
  switch (n) {
  case -1: x = 10; break;
  case 4: x += 1;
  case 5: x += 2;
  case 6: x += 4; break;
  default: x = 100;
  }
  return x;
}
void swapInOut(inout int a, inout int b) { int t = a; a = b; b = t; }
void main() {
  int n = N_;
  int sum = 0;
  for (int i = 1; i <= n; ++i)
    sum += i;
  // CHECK: store.i32(i32 15,
  o[0] = sum;
  // CHECK: store.i32(i32 3,
  o[2] = early(n);
  // CHECK: store.i32(i32 6,
  o[3] = choose(n);
  // CHECK: store.i32(i32 7,
  o[4] = choose(n - 1);
  // CHECK: store.i32(i32 10,
  o[5] = choose(-n + 4);
  // CHECK: store.i32(i32 100,
  o[6] = choose(n + 2);
  int a = n, b = n * n;
  swapInOut(a, b);
  // CHECK: store.i32(i32 25,
  o[7] = a;
  // CHECK: store.i32(i32 5,
  o[8] = b;
  const int table[4] = int[](3, 1, 4, 1);
  // CHECK: store.i32(i32 4,
  o[9] = table[n - 3];
}

// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// NoContraction (precise) takes the contract flag; preserving signed zeros takes nsz.
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float a, b, c; float p; };
void main() {
  // CHECK: [[M:%.*]] = fmul nsz arcp contract afn float
  // CHECK: fadd nsz arcp contract afn float [[M]]
  float x = a * b + c;
  // CHECK: [[M2:%.*]] = fmul nsz arcp afn float
  // CHECK: fadd nsz arcp afn float [[M2]]
  precise float y = a * c + b;
  // CHECK-NOT: nnan
  // CHECK-NOT: ninf
  // CHECK-NOT: reassoc
  p = x;
  c = y;
}

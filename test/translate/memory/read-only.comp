// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// Loads are invariant only from restrict buffers that no one writes: not when a buffer is
// written through another variable, nor from volatile and coherent buffers.
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) restrict readonly buffer A { float a[]; };
layout(binding = 1) readonly buffer B { float b[]; };
layout(binding = 1) writeonly buffer B2 { float b2[]; };
layout(binding = 2) restrict volatile readonly buffer C { float c[]; };
layout(binding = 4) restrict coherent buffer E { float e[]; };
void main() {
  // CHECK: load float, {{.*}}!invariant.load
  float sum = a[0];
  // CHECK: load float
  // CHECK-NOT: !invariant.load
  // CHECK: store float
  sum += b[1];
  b2[1] = sum;
  // CHECK: load atomic volatile float
  sum += c[2];
  // CHECK: load atomic float
  sum += e[3];
  e[4] = sum;
}

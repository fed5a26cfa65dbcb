#version 460
#extension GL_EXT_shared_memory_block : require
// The storage of an explicitly laid out block reaches to the end of its last member: a column-major
// mat3x4 at offset 16 takes three columns of stride 16, a row-major one four rows of stride 16. The
// two blocks are Aliased: they share one variable of the larger size.
// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// CHECK: addrspace(3) global [80 x i8]
// CHECK-NOT: addrspace(3) global
layout(local_size_x = 1) in;
shared A { float x; mat3x4 m; } a;
shared layout(row_major) B { float x; mat3x4 m; } b;
layout(binding = 0) buffer O { vec4 o[]; };
void main() {
  const uint i = gl_WorkGroupID.x;
  a.m[i] = o[i];
  b.m[i] = o[i + 1];
  barrier();
  o[i + 2] = a.m[i + 1] + b.m[i + 1];
}

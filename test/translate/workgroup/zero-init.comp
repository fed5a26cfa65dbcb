// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// A null initializer makes the variable zero at the start; bools are 32 bits wide in memory.
#version 460
#extension GL_EXT_null_initializer : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint o; };
// CHECK-DAG: internal addrspace(3) global [4 x i32] zeroinitializer
// CHECK-DAG: internal addrspace(3) global [8 x i32] undef
shared uint zeroed[4] = {};
shared bool flags[8];
void main() {
  flags[o] = zeroed[o] == 0;
  barrier();
  o = flags[o + 1] ? 1 : 0;
}

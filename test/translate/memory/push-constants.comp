// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
#version 460
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 1) in;
layout(push_constant) uniform P { float16_t h; layout(offset = 16) mat2 m; vec3 array[4]; int i; } p;
layout(binding = 0) buffer O { vec3 o; };
void main() {
  // CHECK: load half, ptr addrspace(4) {{%.*}}, align {{[24]}}, !invariant.load
  // CHECK: getelementptr i8, ptr addrspace(4) {{%.*}}, i32 24
  // CHECK: load <2 x float>
  // The array begins at 32 and its elements are 16 bytes apart.
  // CHECK: [[I:%.*]] = load i32
  // CHECK: mul i32 [[I]], 16
  // CHECK: getelementptr i8, ptr addrspace(4) {{%.*}}, i32 32
  // CHECK: load <3 x float>
  o = float(p.h) * p.m[1].xyx * p.array[p.i];
}

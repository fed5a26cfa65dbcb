#version 450
#extension GL_AMD_shader_fragment_mask : require
// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// Samples have fragments of their own, so a fragment is a sample.
layout(set = 0, binding = 0) uniform usampler2DMS image;
layout(set = 0, binding = 1) buffer O { uint o[]; };
void main() {
  // CHECK: call <4 x i32> @lgc.image.load{{.*}} i32 7, i32 0, <2 x i32> <i32 1, i32 2>, i32 poison, i32 3)
  o[0] = fragmentFetchAMD(image, ivec2(1, 2), 3).x;
  // CHECK: store i32 1985229328, ptr addrspace(7)
  o[1] = fragmentMaskFetchAMD(image, ivec2(1, 2));
}

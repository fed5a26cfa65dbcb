// RUN: amdllpc -auto-layout-desc -emit-lgc -o - %s | FileCheck %s
#version 460
#extension GL_NV_compute_shader_derivatives : enable
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;
layout(binding = 0) buffer Out { vec4 o[]; };
layout(binding = 1) uniform sampler2D s2;
void main() {
  vec4 v = o[gl_LocalInvocationIndex];
  // CHECK: call {{.*}}<4 x float> @lgc.derivative__v4f32_i32_v4f32(i32 0,
  o[1] = dFdx(v);
  // CHECK: call {{.*}}<2 x float> @lgc.derivative__v2f32_i32_v2f32(i32 3,
  o[2].xy = dFdyFine(v.xy);
  // CHECK: call {{.*}}float @lgc.derivative__f32_i32_f32(i32 4,
  // CHECK: call {{.*}}float @llvm.fabs.f32
  // CHECK: call {{.*}}float @lgc.derivative__f32_i32_f32(i32 5,
  // CHECK: fadd {{.*}}float
  o[3].x = fwidthCoarse(v.x);
  // CHECK: call <2 x float> @lgc.image.query.lod
  o[4].xy = textureQueryLod(s2, v.xy);
  // CHECK: call <4 x float> @lgc.image.sample{{.*}}, i32 poison, float 5.000000e-01, i32 poison,
  o[5] = texture(s2, v.xy, 0.5);
}

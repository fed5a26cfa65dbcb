// RUN: amdllpc -auto-layout-desc -emit-lgc -o - %s | FileCheck %s
// Operands of lgc.image.sample: image, sampler, dim, flags, coord, dref, bias, lod, minLod, ddx,
// ddy, offset; absent ones are poison.
#version 460
#extension GL_EXT_nonuniform_qualifier : enable
#extension GL_ARB_sparse_texture2 : enable
layout(local_size_x = 64) in;
layout(binding = 0) uniform sampler2D s2;
layout(binding = 1) uniform samplerCubeArray cubes;
layout(binding = 2) uniform sampler2DShadow shadow;
layout(binding = 3) uniform texture2D images[8];
layout(binding = 4) uniform sampler plain;
layout(binding = 5) buffer Out { uint index; vec4 o[]; };
void main() {
  vec2 uv = o[0].xy;
  // CHECK: call <4 x float> @lgc.image.sample{{.*}}, i32 1, i32 0, <2 x float> %{{.*}}, i32 poison, i32 poison, float 2.000000e+00, i32 poison, i32 poison, i32 poison, i32 poison)
  o[1] = textureLod(s2, uv, 2.0);
  // CHECK: call <4 x float> @lgc.image.sample{{.*}} <2 x i32> <i32 1, i32 -2>)
  o[2] = textureLodOffset(s2, uv, 1.0, ivec2(1, -2));
  // CHECK: call <4 x float> @lgc.image.sample{{.*}}, i32 6, i32 0, <4 x float>
  o[3] = textureLod(cubes, o[9], 0.0);
  // The reference is divided by q like the coordinates.
  // CHECK: [[INV:%.*]] = fdiv arcp afn float 1.000000e+00
  // CHECK: [[REF:%.*]] = fmul arcp afn float %{{.*}}, [[INV]]
  // CHECK: call float @lgc.image.sample{{.*}}, float [[REF]], i32 poison,
  o[4].x = textureProjLod(shadow, o[9], 0.0);
  // CHECK: @lgc.load.desc__v8i32{{.*}}, i32 0, i32 1)
  // CHECK: call <4 x float> @lgc.image.sample{{.*}}, i32 1, i32 0, <2 x float>
  o[5] = textureLod(sampler2D(images[nonuniformEXT(index)], plain), uv, 0.0);
  // CHECK: call <4 x float> @lgc.image.gather{{.*}}, i32 2, i32 poison)
  o[6] = textureGather(s2, uv, 2);
  // CHECK: call <4 x float> @lgc.image.gather{{.*}}[4 x <2 x i32>] [<2 x i32> zeroinitializer, <2 x i32> <i32 1, i32 0>
  o[7] = textureGatherOffsets(s2, uv, ivec2[4](ivec2(0), ivec2(1, 0), ivec2(0, 1), ivec2(1)));
  // CHECK: [[R:%.*]] = call { <4 x float>, i32 } @lgc.image.sample{{.*}}, i32 1, i32 8, <2 x float>
  // CHECK: icmp eq i32 %{{.*}}, 0
  vec4 texel;
  if (sparseTexelsResidentARB(sparseTextureLodARB(s2, uv, 0.0, texel)))
    o[8] = texel;
}

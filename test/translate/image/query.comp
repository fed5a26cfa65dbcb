// RUN: amdllpc -auto-layout-desc -emit-lgc -o - %s | FileCheck %s
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) uniform samplerCubeArray cubes;
layout(binding = 1) uniform sampler2DMS multi;
layout(binding = 2) uniform samplerBuffer texels;
layout(binding = 3) buffer Out { ivec4 o[]; };
void main() {
  // CHECK: call <3 x i32> @lgc.image.query.size{{.*}}, i32 6, i32 0, i32 2)
  o[0].xyz = textureSize(cubes, 2);
  // CHECK: call <2 x i32> @lgc.image.query.size{{.*}}, i32 7, i32 0, i32 poison)
  o[1].xy = textureSize(multi);
  // CHECK: call i32 @lgc.image.query.size__i32_v4i32{{.*}}, i32 9, i32 0, i32 poison)
  o[2].x = textureSize(texels);
  // CHECK: call i32 @lgc.image.query.levels
  o[3].x = textureQueryLevels(cubes);
  // CHECK: call i32 @lgc.image.query.samples
  o[4].x = textureSamples(multi);
}

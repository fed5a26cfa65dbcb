// RUN: amdllpc -auto-layout-desc -emit-lgc -o - %s | FileCheck %s
// image.load(image, dim, flags, coord, lod, sample), image.store(texel, image, ...).
#version 460
#extension GL_EXT_shader_image_int64 : enable
#extension GL_ARB_gpu_shader_int64 : enable
layout(local_size_x = 64) in;
layout(binding = 0) uniform sampler2DArray array;
layout(binding = 1) uniform sampler2DMS multi;
layout(binding = 2) uniform samplerBuffer texels;
layout(binding = 3, rgba8) uniform coherent image2D image;
layout(binding = 4, r64ui) uniform u64image2D wide;
layout(binding = 5, r32ui) uniform uimageBuffer counters;
layout(binding = 6, rgba8) uniform imageCubeArray cubes;
layout(binding = 7) buffer Out { vec4 o[]; };
void main() {
  ivec3 p = floatBitsToInt(o[0].xyz);
  // CHECK: call <4 x float> @lgc.image.load{{.*}}, i32 5, i32 0, <3 x i32> %{{.*}}, i32 3, i32 poison)
  o[1] = texelFetch(array, p, 3);
  // The offset is added; the layer has none.
  // CHECK: add i32 %{{.*}}, 2
  // CHECK: add i32 %{{.*}}, -3
  // CHECK: call <4 x float> @lgc.image.load{{.*}}, i32 5, i32 0, <3 x i32>
  o[2] = texelFetchOffset(array, p, 0, ivec2(2, -3));
  // CHECK: call <4 x float> @lgc.image.load{{.*}}, i32 7, i32 0, <2 x i32> %{{.*}}, i32 poison, i32 2)
  o[3] = texelFetch(multi, p.xy, 2);
  // CHECK: call <4 x float> @lgc.image.load__v4f32_v4i32{{.*}}, i32 9, i32 0, i32
  o[4] = texelFetch(texels, p.x);
  // CHECK: call <4 x float> @lgc.image.load{{.*}}, i32 1, i32 1, <2 x i32>
  o[5] = imageLoad(image, p.xy);
  // CHECK: call void @lgc.image.store{{.*}}, i32 6, i32 0, <3 x i32>
  imageStore(cubes, p, o[6]);
  // CHECK: call <4 x i64> @lgc.image.load
  // CHECK: call void @lgc.image.store__void_v4i64
  imageStore(wide, p.xy, imageLoad(wide, p.yx));
  // CHECK: call i64 @lgc.image.atomic{{.*}}, i32 1, i32 1, i32 7,
  imageAtomicMax(wide, p.xy, uint64_t(5));
  // CHECK: call i32 @lgc.image.atomic__i32_v4i32{{.*}}, i32 9, i32 1, i32 1, i32 %{{.*}}, i32 poison, i32 4, i32 3)
  imageAtomicCompSwap(counters, p.x, 3u, 4u);
}

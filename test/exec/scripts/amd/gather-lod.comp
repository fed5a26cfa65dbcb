// SPDX-License-Identifier: MIT
// Gathers from a level of detail that the shader names, with an offset too. Their order is that of the specification: (0,1) (1,1) (1,0) (0,0).
//! requires VK_AMD_texture_gather_bias_lod
//! image texture r32_sfloat 2d 8x8 mips=3 : f32 eval 84 { i }
//! sampler s filter=nearest mip=nearest wrap=clamp
//! bind 0.0 combined texture s
//! buffer 0.1 f32 : 0*48
//! expect 0.1 f32 : eval 48 {
//! ...  i < 36 ? 64 + (i/4)%3 + (i/12)*4 + (i%4 == 0 ? 4 : i%4 == 1 ? 5 : i%4 == 2 ? 1 : 0) :
//! ...  i < 40 ? 80 + (i%4 == 0 ? 2 : i%4 == 1 ? 3 : i%4 == 2 ? 1 : 0) :
//! ...  i < 44 ? (i%4 == 0 ? 8 : i%4 == 1 ? 9 : i%4 == 2 ? 1 : 0) :
//! ...  (i%4 == 0 ? 70 : i%4 == 1 ? 71 : i%4 == 2 ? 67 : 66) }
#version 450
#extension GL_AMD_texture_gather_bias_lod : require
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) buffer B { vec4 b[]; };
void main() {
  for (int i = 0; i < 9; ++i) b[i] = textureGatherLodAMD(image, vec2(i % 3 + 1, i / 3 + 1) / 4.0, 1.0);
  b[9] = textureGatherLodAMD(image, vec2(0.5), 2.0);
  b[10] = textureGatherLodAMD(image, vec2(1.0) / 8.0, 0.0);
  b[11] = textureGatherLodOffsetAMD(image, vec2(0.5), 1.0, ivec2(1, -1));
}

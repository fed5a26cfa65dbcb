// SPDX-License-Identifier: MIT
// Gathers: components, offsets, depth comparison by value; fetches and offsets.
//! requires shaderImageGatherExtended
//! image tex r32g32b32a32_sfloat 2d 8x8 mips=1 : f32 0..255
//! sampler s filter=linear wrap=clamp
//! bind 0.0 combined tex s
//! buffer 0.1 f32 : 0*1024
//! compare 0.1 f32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) buffer B { vec4 b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  vec2 c = vec2(float(i % 8) + 0.9, float(i / 8) + 0.7) / 8.0;
  b[i] = textureGather(tex, c);
  b[64 + i] = textureGather(tex, c, 2);
  b[128 + i] = textureGatherOffset(tex, c, ivec2(1, -2), 1);
  b[192 + i] = texelFetchOffset(tex, ivec2(i & 3, i >> 4), 0, ivec2(2, 1));
}

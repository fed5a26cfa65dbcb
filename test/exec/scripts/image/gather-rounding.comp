// SPDX-License-Identifier: MIT
// The footprint of a gather changes at the centres of texels. Coordinates are known to 1/256 texel
// (subTexelPrecisionBits) and rounded to that, whatever the sampler's filters are: from 1/1024 below
// a centre on it is the next one, 3/1024 below it is not.
//! requires shaderImageGatherExtended shaderSampledImageArrayNonUniformIndexing
//! skip lavapipe: takes the floor of coordinates that are not rounded
//! foreach FILTER nearest linear
//! image tex r32g32b32a32_sfloat 2d 16x16 : f32 eval 1024 { i / 4 + i % 4 * 1000 }
//! sampler s filter=${FILTER} wrap=clamp
//! sampler other filter=linear wrap=clamp
//! bind 0.0 sampled-image tex
//! bind 0.1 sampler s
//! bind 0.2[0] combined tex s
//! bind 0.2[1] combined tex other
//! bind 0.3 combined tex s immutable=1
//! buffer 0.4 f32 : 0*256
//! buffer 0.5 f32 : 0*256
//! buffer 0.6 f32 : 0*256
//! buffer 0.7 f32 : 0*256
//! buffer 0.8 f32 : 0*256
//! expect 0.4 f32 : eval 256 { 2 + i / 20 - (i / 4 % 5 == 0) + (i % 4 == 1 || i % 4 == 2) + (i % 4 < 2 ? 96 : 80) }
//! expect 0.5 f32 : eval 256 { 2000 + 5 + (i % 4 == 1 || i % 4 == 2)
//! ... + 16 * (2 + i / 20 - (i / 4 % 5 == 0) + (i % 4 < 2)) }
//! expect 0.6 f32 : eval 256 { 2 + i / 20 - (i / 4 % 5 == 0)
//! ... + (i % 4 == 0 ? 80 : i % 4 == 1 ? 81 : i % 4 == 2 ? 96 : 65) }
//! expect 0.7 f32 : eval 256 { 2 + i / 20 - (i / 4 % 5 == 0) + (i % 4 == 1 || i % 4 == 2) + (i % 4 < 2 ? 96 : 80) }
//! expect 0.8 f32 : eval 256 { 2 + i / 20 - (i / 4 % 5 == 0) + (i % 4 == 1 || i % 4 == 2) + (i % 4 < 2 ? 96 : 80) }
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1) uniform sampler smp;
layout(set = 0, binding = 2) uniform sampler2D several[2];
layout(set = 0, binding = 3) uniform sampler2D fixedOne;
layout(set = 0, binding = 4) buffer O4 { vec4 o4[]; };
layout(set = 0, binding = 5) buffer O5 { vec4 o5[]; };
layout(set = 0, binding = 6) buffer O6 { vec4 o6[]; };
layout(set = 0, binding = 7) buffer O7 { vec4 o7[]; };
layout(set = 0, binding = 8) buffer O8 { vec4 o8[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  const float places[5] = {-3.0, -1.0, 0.0, 1.0, 3.0};
  float near = (float(2 + i / 5) + 0.5 + places[i % 5] / 1024.0) / 16.0, far = 5.75 / 16.0;
  o4[i] = textureGather(sampler2D(image, smp), vec2(near, far));
  o5[i] = textureGather(sampler2D(image, smp), vec2(far, near), 2);
  const ivec2 offsets[4] = {ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(1, -1)};
  o6[i] = textureGatherOffsets(sampler2D(image, smp), vec2(near, far), offsets);
  o7[i] = textureGather(several[nonuniformEXT(i & 1)], vec2(near, far));
  o8[i] = textureGather(fixedOne, vec2(near, far));
}

// SPDX-License-Identifier: MIT
// VK_EXT_image_view_min_lod: level L of the image holds 10 (L + 1). Views begin at level 1 or 2, but minLod counts from
// level 0 of the image. Samplers clamp, to fractions where levels are blended. What loads and gathers would see of levels
// below the whole part is 0; storage images do not heed it.
//! skip validation: glslang writes the older NV name of the extension
//! requires minLod robustImageAccess2 computeDerivativeGroupQuads
//! image tex r32_sfloat 2d 16x16 mips=5 : f32 10*256 20*64 30*16 40*4 50
//! sampler blended filter=linear mip=linear wrap=clamp
//! sampler nearest filter=nearest mip=nearest wrap=clamp
//! bind 0.1 combined tex blended mip=1 viewminlod=2.5
//! bind 0.2 combined tex nearest mip=1 viewminlod=2.25
//! bind 0.3 combined tex nearest mip=2 viewminlod=2.75
//! bind 0.4 storage-image tex mips=5 viewminlod=2.5
//! buffer 0.0 f32 : 7*160
//! expect 0.0 f32 ~abs=0.05 : eval 64 { 10 * (1 + max(1 + min(max(i / 16.0 - 0.5, 0), 3), 2.5)) }
//! expect 0.0@256 f32 : eval 64 { 10 * (1 + floor(max(1 + min(max(i / 16.0 - 0.47, 0), 3), 2.25) + 0.5)) }
//! expect 0.0@512 f32 : 0 30 40 50 0 0 0 0
//! expect 0.0@544 f32 : 0 0 0 0 30 30 30 30 10 4 8 0
//! expect 0.0@592 f32 ~abs=0.01 : 1.5 -2
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;
layout(set = 0, binding = 0) buffer O { float o[]; };
layout(set = 0, binding = 1) uniform sampler2D blended;
layout(set = 0, binding = 2) uniform sampler2D nearest;
layout(set = 0, binding = 3) uniform sampler2D later;
layout(set = 0, binding = 4, r32f) uniform readonly image2D stored;
void main() {
  uint i = gl_LocalInvocationID.y * 8 + gl_LocalInvocationID.x;
  o[i] = textureLod(blended, vec2(0.5), float(i) / 16 - 0.5).x;
  o[64 + i] = textureLod(nearest, vec2(0.5), float(i) / 16 - 0.47).x;
  if (i < 8)
    o[128 + i] = texelFetch(blended, ivec2(0), int(i)).x;
  vec2 query = textureQueryLod(blended, vec2(gl_LocalInvocationID.xy) / 32);
  if (i == 0) {
    vec4 none = textureGather(blended, vec2(0.5)), some = textureGather(later, vec2(0.5));
    for (int c = 0; c < 4; ++c) {
      o[136 + c] = none[c];
      o[140 + c] = some[c];
    }
    o[144] = imageLoad(stored, ivec2(0)).x;
    o[145] = float(textureQueryLevels(blended));
    o[146] = float(textureSize(blended, 0).x);
    o[147] = textureGatherOffset(blended, vec2(0.5), ivec2(1, 0)).y;
    o[148] = query.x;
    o[149] = query.y;
  }
}

// SPDX-License-Identifier: MIT
// Implicit levels of projective coordinates and of comparisons in quads: neighbouring texels (level 0),
// and with a bias of one level
//! skip validation: glslang writes the older NV name of the extension
//! requires computeDerivativeGroupQuads
//! image tex r32_sfloat 2d 4x4 mips=2 : f32 eval 20 { i < 16 ? i : 100 + i }
//! image shade r32_sfloat 2d 4x4 mips=2 : f32 eval 20 { i < 16 ? i / 16.0 : i == 17 ? 1.0 : 0.0 }
//! sampler smp wrap=clamp
//! sampler cmp wrap=clamp compare=le
//! bind 0.0 combined tex smp
//! bind 0.1 combined shade cmp
//! buffer 0.2 f32 : 9*80
//! expect 0.2 f32 : eval 80 { i%5 == 0 ? i/5 : i%5 == 1 ? 116 + i/5/8*2 + i/5%4/2 : i%5 == 2 ? i/5 > 9 : i%5 == 3 ? i/5 > 9 : i/5/8 == 0 && i/5%4/2 == 1 }
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 4, local_size_y = 4) in;
layout(derivative_group_quadsNV) in;
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) uniform sampler2DShadow shade;
layout(set = 0, binding = 2) buffer O { float o[]; };
void main() {
  uvec2 g = gl_LocalInvocationID.xy;
  uint i = g.y * 4 + g.x;
  vec2 p = (vec2(g) + 0.5) / 4;
  o[5 * i] = textureProj(tex, vec3(p * 2, 2)).x;
  o[5 * i + 1] = textureProj(tex, vec4(p * 4, 3, 4), 1.0).x;
  o[5 * i + 2] = texture(shade, vec3(p, 9.5 / 16));
  o[5 * i + 3] = textureProj(shade, vec4(p * 2, 9.5 / 8, 2));
  o[5 * i + 4] = texture(shade, vec3(p, 0.5), 1.0);
}

// SPDX-License-Identifier: MIT
// Projective coordinates with an explicit level or gradients: texels of level 1, and comparisons
// with the divided reference; image and sampler come as descriptors of their own.
//! skip validation: the layer wants depth comparison of depth formats only
//! image tex r32_sfloat 2d 4x4 mips=2 : f32 eval 20 { i < 16 ? i : 100 + i }
//! image shade r32_sfloat 2d 4x4 : f32 eval 16 { i / 16.0 }
//! image line r32_sfloat 1d 8 : f32 0..7
//! sampler smp wrap=clamp
//! sampler cmp wrap=clamp compare=le
//! bind 0.0 sampled-image tex
//! bind 0.1 sampler smp
//! bind 0.2 combined shade cmp
//! bind 0.3 combined line smp
//! buffer 0.4 f32 : 9*80
//! expect 0.4 f32 : eval 80 { i%5 == 0 ? i/5 : i%5 == 1 ? 116 + i/5/8*2 + i/5%4/2 : i%5 == 2 ? (i/5 <= 9) == 0 : i%5 == 3 ? i/5 : i/5/2 }
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) uniform texture2D tex;
layout(set = 0, binding = 1) uniform sampler smp;
layout(set = 0, binding = 2) uniform sampler2DShadow shade;
layout(set = 0, binding = 3) uniform sampler1D line;
layout(set = 0, binding = 4) buffer O { float o[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  vec2 p = (vec2(i % 4, i / 4) + 0.5) / 4;
  float q = float(i + 1) * 0.5;
  o[5 * i] = textureProjLod(sampler2D(tex, smp), vec3(p * q, q), 0.0).x;
  o[5 * i + 1] = textureProjLod(sampler2D(tex, smp), vec4(p * q, 77, q), 1.0).x;
  o[5 * i + 2] = textureProjLod(shade, vec4(p * q, (9.5 / 16) * q, q), 0.0);
  o[5 * i + 3] = textureProjGrad(sampler2D(tex, smp), vec3(p * q, q), vec2(0.01), vec2(0.01)).x;
  o[5 * i + 4] = textureProjLod(line, vec2((float(i / 2) + 0.5) / 8 * q, q), 0.0).x;
}

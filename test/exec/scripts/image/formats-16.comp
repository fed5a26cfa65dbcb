// SPDX-License-Identifier: MIT
// Formats of two bytes: fetch, filtered sample, gather, border.
//! foreach FORMAT r8g8_unorm r8g8_snorm r16_unorm r16_snorm r5g6b5_unorm_pack16 a1r5g5b5_unorm_pack16
//! image tex ${FORMAT} 2d 8x8 : u8 eval 128 { u8(i * 37 + (i / 7) * 11)  }
//! sampler smp filter=linear wrap=border border=2
//! bind 0.1 combined tex smp
//! buffer 0.2 f32 : 0*768
//! dispatch 1
//! compare 0.2 f32 ~abs=0.004 ~rel=0.01
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) uniform sampler2D tex;
layout(set = 0, binding = 2) buffer O { vec4 o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  ivec2 p = ivec2(i % 8, i / 8);
  o[i] = texelFetch(tex, p, 0);
  vec2 q = (vec2(p) + 0.1) / 7.3 - 0.05;
  o[64 + i] = textureLod(tex, q, 0.0);
  o[128 + i] = textureGather(tex, q, int(1));
}

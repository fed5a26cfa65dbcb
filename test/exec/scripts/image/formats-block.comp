// SPDX-License-Identifier: MIT
// Block-compressed formats: fetch from the second level, filtered sample.
//! foreach FORMAT bc3_unorm_block bc5_unorm_block bc7_unorm_block
//! image tex ${FORMAT} 2d 16x16 mips=2 : u8 eval 320 { u8(i * 37 + (i / 7) * 11) }
//! sampler smp filter=linear wrap=repeat
//! bind 0.1 combined tex smp
//! buffer 0.2 f32 : 0*512
//! dispatch 1
//! compare 0.2 f32 ~abs=0.01
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) uniform sampler2D tex;
layout(set = 0, binding = 2) buffer O { vec4 o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  ivec2 p = ivec2(i % 8, i / 8);
  o[i] = texelFetch(tex, p, 1);
  o[64 + i] = textureLod(tex, (vec2(p) + 0.1) / 7.3 - 0.05, 0.0);
}

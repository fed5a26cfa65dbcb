// SPDX-License-Identifier: MIT
// Minimum and maximum instead of the weighted mean.
//! foreach RED min max
//! requires samplerFilterMinmax
//! buffer 0.0 f32 : eval 128 { (i % 2 == 0 ? (i / 2 % 8) * 0.137 + 0.02 : (i / 16) * 0.111 + 0.03) }
//! image tex r32_sfloat 2d 16x16 mips=5 : f32 eval 341 { (i * 37) % 101 }
//! sampler smp filter=linear mip=nearest wrap=clamp reduction=${RED}
//! bind 0.1 combined tex smp
//! buffer 0.2 f32 : 0*64
//! dispatch 1
//! compare 0.2 f32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer C { vec2 c[]; };
layout(set = 0, binding = 1) uniform sampler2D tex;
layout(set = 0, binding = 2) buffer O { float o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  o[i] = textureLod(tex, c[i], 0.0).x;
}

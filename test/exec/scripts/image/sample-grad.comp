// SPDX-License-Identifier: MIT
// Explicit gradients, with and without an offset.
//! foreach FILTER nearest linear
//! foreach MIP nearest linear
//! buffer 0.0 f32 : eval 128 { (i % 2 == 0 ? (i / 2 % 8) * 0.137 + 0.02 : (i / 16) * 0.111 + 0.03) }
//! image tex r32_sfloat 2d 16x16 mips=5 : f32 eval 341 { (i * 37) % 101 }
//! sampler smp filter=${FILTER} mip=${MIP} wrap=mirror
//! bind 0.1 combined tex smp
//! buffer 0.2 f32 : 0*256
//! dispatch 1
//! compare 0.2 f32 ~abs=0.7
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer C { vec2 c[]; };
layout(set = 0, binding = 1) uniform sampler2D tex;
layout(set = 0, binding = 2) buffer O { vec4 o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float k = float(i % 16) / 20.0 + 0.011;
  o[i] = (i & 1u) == 0u
             ? textureGrad(tex, c[i], vec2(k, 0), vec2(0.0, k * 0.5))
             : textureGradOffset(tex, c[i], vec2(0.0, k), vec2(k * 0.3, 0.0), ivec2(2, -3));
}

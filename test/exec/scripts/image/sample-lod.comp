// SPDX-License-Identifier: MIT
// Explicit levels of a view that begins at level 1; limits and bias of the sampler.
//! foreach FILTER nearest linear
//! foreach MIP nearest linear
//! foreach OPT maxlod=1000 maxlod=1.5 minlod=1.25 bias=0.75 bias=-1.3
//! buffer 0.0 f32 : eval 192 { i % 3 == 0 ? (i / 3 % 8) * 0.137 + 0.02 : i % 3 == 1 ? (i / 24) * 0.111 + 0.03 : (i / 3 * 7 % 64) * 0.093 - 1.0 }
//! image tex r32_sfloat 2d 16x8 mips=5 : f32 eval 171 { (i * 37) % 101 }
//! sampler smp filter=${FILTER} mip=${MIP} wrap=clamp ${OPT}
//! bind 0.1 combined tex smp mip=1
//! buffer 0.2 f32 : 0*256
//! dispatch 1
//! compare 0.2 f32 ~abs=0.6
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer C { float c[]; };
layout(set = 0, binding = 1) uniform sampler2D tex;
layout(set = 0, binding = 2) buffer O { vec4 o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  o[i] = textureLod(tex, vec2(c[3 * i], c[3 * i + 1]), c[3 * i + 2]);
}

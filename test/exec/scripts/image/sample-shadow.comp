// SPDX-License-Identifier: MIT
// Depth comparison: every function, filtered, and gathered.
//! skip validation: the layer wants depth comparison of depth formats only
//! foreach FILTER nearest linear
//! foreach CMP less le greater ge equal ne always never
//! buffer 0.0 f32 : eval 192 { i % 3 == 0 ? (i / 3 % 8) * 0.137 + 0.02 : i % 3 == 1 ? (i / 24) * 0.111 + 0.03 : (i / 3 % 5) * 0.25 }
//! image tex r32_sfloat 2d 8x8 : f32 eval 64 { (i * 3 % 5) * 0.25 }
//! sampler smp filter=${FILTER} wrap=clamp compare=${CMP}
//! bind 0.1 combined tex smp
//! buffer 0.2 f32 : 0*64
//! buffer 0.3 f32 : 0*256
//! dispatch 1
//! compare 0.2 f32 ~abs=0.01
//! compare 0.3 f32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer C { float c[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow tex;
layout(set = 0, binding = 2) buffer O { float o[]; };
layout(set = 0, binding = 3) buffer P { vec4 p[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  o[i] = textureLod(tex, vec3(c[3 * i], c[3 * i + 1], c[3 * i + 2]), 0.0);
  p[i] = textureGather(tex, vec2(c[3 * i], c[3 * i + 1]), c[3 * i + 2]);
}

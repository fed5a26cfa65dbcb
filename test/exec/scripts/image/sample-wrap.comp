// SPDX-License-Identifier: MIT
// Wrap modes and border colours, both filters, coordinates far outside.
//! foreach FILTER nearest linear
//! foreach WRAP repeat mirror clamp border mirror-once
//! foreach BORDER 0 2 4
//! buffer 0.0 f32 : eval 128 { (i % 2 == 0 ? (i / 2 % 8) * 0.437 - 1.13 : (i / 16) * 0.411 - 1.37) }
//! image tex r32_sfloat 2d 8x4 : f32 eval 32 { i * i }
//! sampler smp filter=${FILTER} wrap=${WRAP} border=${BORDER}
//! bind 0.1 combined tex smp
//! buffer 0.2 f32 : 0*256
//! dispatch 1
//! compare 0.2 f32 ~abs=0.5
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer C { vec2 c[]; };
layout(set = 0, binding = 1) uniform sampler2D tex;
layout(set = 0, binding = 2) buffer O { vec4 o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  o[i] = textureLod(tex, c[i], 0.0);
}

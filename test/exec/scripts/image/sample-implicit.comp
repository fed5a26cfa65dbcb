// SPDX-License-Identifier: MIT
// Implicit level in compute: derivatives of quads, bias, LOD query, offset. Lavapipe approximates the
// logarithm, so that levels are not blended here.
//! skip validation: glslang writes the older NV name of the extension
//! requires computeDerivativeGroupQuads
//! foreach MIP nearest
//! foreach FILTER nearest linear
//! image tex r32_sfloat 2d 32x16 mips=5 : f32 eval 682 { (i * 37) % 101 }
//! sampler smp filter=${FILTER} mip=${MIP} wrap=clamp
//! bind 0.1 combined tex smp
//! buffer 0.2 f32 : 0*512
//! dispatch 1
//! compare 0.2 f32 ~abs=0.8
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;
layout(set = 0, binding = 1) uniform sampler2D tex;
layout(set = 0, binding = 2) buffer O { vec4 o[]; };
void main() {
  uvec2 g = gl_LocalInvocationID.xy;
  uint i = g.y * 8 + g.x;
  uvec2 q = g / 2;
  vec2 c = vec2(g) * (0.013 + 0.011 * float(q.x + q.y));
  c.x += 0.2;
  o[i] = vec4(texture(tex, c).x, texture(tex, c, 0.7).x, textureQueryLod(tex, c));
  o[64 + i] = vec4(textureOffset(tex, c, ivec2(1, -2)).x, 0, 0, 0);
}

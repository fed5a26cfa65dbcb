// SPDX-License-Identifier: MIT
// Residency together with implicit levels, in quads.
//! skip validation: glslang writes the older NV name of the extension
//! skip lavapipe: Mesa 25.0 crashes on residency of ordinary images
//! requires shaderResourceResidency computeDerivativeGroupQuads
//! image tex r32_sfloat 2d 4x4 mips=2 : f32 eval 20 { i < 16 ? i : 100 + i }
//! image shade r32_sfloat 2d 4x4 : f32 eval 16 { i / 16.0 }
//! sampler smp wrap=clamp
//! sampler cmp wrap=clamp compare=le
//! bind 0.0 combined tex smp
//! bind 0.1 combined shade cmp
//! buffer 0.2 f32 : 9*64
//! expect 0.2 f32 : eval 64 { i%4 == 0 ? i/4 : i%4 == 1 ? 116 + i/4/8*2 + i/4%4/2 : i%4 == 2 ? i/4 > 9 : 7 }
#version 450
#extension GL_ARB_sparse_texture2 : require
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
  vec4 t; float f;
  uint resident = uint(sparseTexelsResidentARB(sparseTextureARB(tex, p, t)));
  o[4 * i] = t.x;
  resident |= uint(sparseTexelsResidentARB(sparseTextureARB(tex, p, t, 1.0))) << 1;
  o[4 * i + 1] = t.x;
  resident |= uint(sparseTexelsResidentARB(sparseTextureARB(shade, vec3(p, 9.5 / 16), f))) << 2;
  o[4 * i + 2] = f;
  o[4 * i + 3] = float(resident);
}

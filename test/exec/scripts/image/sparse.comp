// SPDX-License-Identifier: MIT
// Instructions that also say whether a texel is resident: here all are, and the texels are those of
// the ordinary instructions.
//! skip validation: the layer wants depth comparison of depth formats only
//! skip lavapipe: Mesa 25.0 crashes on residency of ordinary images
//! requires shaderResourceResidency
//! image tex r32g32b32a32_sfloat 2d 4x4 mips=2 : f32 0..79
//! image shade r32_sfloat 2d 4x4 : f32 eval 16 { i / 16.0 }
//! image store r32_uint 2d 4x4 : u32 20..35
//! sampler smp wrap=clamp
//! sampler cmp wrap=clamp compare=le
//! bind 0.0 combined tex smp
//! bind 0.1 combined shade cmp
//! bind 0.2 storage-image store
//! buffer 0.3 f32 : 9*128
//! buffer 0.4 u32 : 9*16
//! expect 0.3 f32 : eval 128 {
//! ...  i < 16 ? i*4 + 1 : i < 32 ? 64 + (i%16/8*2 + i%4/2)*4 : i < 48 ? i%16*4 + 2 : i < 64 ? i%16*4 + 3 :
//! ...  i < 80 ? min(i%16/4 + 1, 3)*16 + i%4*4 + 3 : i < 96 ? i%16 > 9 : i < 112 ? i%16 + 20 :
//! ...  (min(i%16/4 + 1, 3)*4 + min(i%4 + 1, 3)) * 4 + 2 }
//! expect 0.4 u32 : eval 16 { 511 | (min(i/4+1,3)*4 + i%4 > 9) << 9 | (min(i/4+1,3)*4 + min(i%4+1,3) > 9) << 10 | (i/4*4 + min(i%4+1,3) > 9) << 11 | (i > 9) << 12 }
#version 450
#extension GL_ARB_sparse_texture2 : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) uniform sampler2DShadow shade;
layout(set = 0, binding = 2, r32ui) uniform uimage2D img;
layout(set = 0, binding = 3) buffer O { float o[]; };
layout(set = 0, binding = 4) buffer C { uint codes[]; };
uint resident = 0, bit = 0;
void note(int code) { resident |= uint(sparseTexelsResidentARB(code)) << bit; ++bit; }
void main() {
  uint i = gl_LocalInvocationID.x;
  ivec2 at = ivec2(i % 4, i / 4);
  vec2 p = (vec2(at) + 0.5) / 4, corner = (vec2(at) + 1) / 4;
  vec4 t; float f; uvec4 u;
  note(sparseTextureLodARB(tex, p, 0.0, t)); o[i] = t.y;
  note(sparseTextureLodARB(tex, p, 1.0, t)); o[16 + i] = t.x;
  note(sparseTexelFetchARB(tex, at, 0, t)); o[32 + i] = t.z;
  note(sparseTextureGradARB(tex, p, vec2(0.01), vec2(0.01), t)); o[48 + i] = t.w;
  note(sparseTextureLodOffsetARB(tex, p, 0.0, ivec2(0, 1), t)); o[64 + i] = t.w;
  note(sparseTextureGradARB(shade, vec3(p, 9.5 / 16), vec2(0.01), vec2(0.01), f)); o[80 + i] = f;
  note(sparseImageLoadARB(img, at, u)); o[96 + i] = float(u.x);
  note(sparseTextureGatherARB(tex, corner, t, 2)); o[112 + i] = t.y;
  note(sparseTextureGatherARB(shade, corner, 9.5 / 16, t));
  codes[i] = resident | uint(t.x) << 9 | uint(t.y) << 10 | uint(t.z) << 11 | uint(t.w) << 12;
}

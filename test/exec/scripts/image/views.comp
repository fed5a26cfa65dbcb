// SPDX-License-Identifier: MIT
// Views: one mip level, a range of layers, swizzles, another format.
//! image tex r8g8b8a8_unorm 2d-array 8x8 mips=3 layers=4 mutable=1 : u8 eval 1344 { (i * 7) & 255 }
//! bind 0.0 sampled-image tex mip=1 mips=1 layer=2 layers=1 view=2d
//! bind 0.1 sampled-image tex view=2d-array layer=1 layers=2 swizzle=b1r0
//! bind 0.2 sampled-image tex view=2d layers=1 format=r32_uint
//! buffer 0.3 f32 : 0*192
//! buffer 0.4 u32 : 0*16
//! compare 0.3 f32 ~abs=1e-4
//! compare 0.4 u32
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) uniform texture2D a;
layout(set = 0, binding = 1) uniform texture2DArray b;
layout(set = 0, binding = 2) uniform utexture2D c;
layout(set = 0, binding = 3) buffer O { vec4 o[]; };
layout(set = 0, binding = 4) buffer P { uint p[]; };
void main() {
  int i = int(gl_LocalInvocationIndex);
  o[i] = texelFetch(a, ivec2(i & 3, i >> 2), 0);
  o[16 + i] = texelFetch(b, ivec3(i & 3, i >> 2, i & 1), i >> 3);
  o[32 + i] = vec4(textureSize(a, 0), textureSize(b, 1).xz);
  p[i] = texelFetch(c, ivec2(i & 7, i >> 3), 0).x;
}

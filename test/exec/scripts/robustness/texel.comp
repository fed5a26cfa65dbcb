// SPDX-License-Identifier: MIT
// Texel buffers with robustBufferAccess2: a fetch outside gives zeros, and one for the alpha that the
// format lacks; stores and atomics outside do nothing, whatever lies behind the view.
//! requires robustBufferAccess2
//! buffer one u32 : 3*64
//! buffer four f32 : 0.5*256
//! buffer out u32 : 3*64
//! buffer 0.4 u32 : 9*64
//! buffer 0.5 f32 : 9*64
//! bind 0.0 texel one format=r32_uint range=64
//! bind 0.1 texel four format=r32g32b32a32_sfloat range=256
//! bind 0.2 storage-texel out format=r32_uint range=64
//! bind 0.3 storage-texel one format=r32_uint range=64
//! push i32 : 0 15 16 63 -1 100000 2147483647 -2147483648
//! expect 0.4 u32 : eval 64 { i < 32 ? (i%4 == 0 && i/4 < 2 ? 3 : i%4 == 3) : i%4 == 0 && i/4 < 10 ? 3 : i%4 == 3 }
//! expect 0.5 f32 : eval 64 { i < 32 ? (i/4 < 2 ? 0.5 : 0.0) : 9 }
//! expect out u32 : eval 64 { i == 0 || i == 15 ? 8 : 3 }
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8) in;
layout(push_constant) uniform P { int at[8]; };
layout(set = 0, binding = 0) uniform utextureBuffer one;
layout(set = 0, binding = 1) uniform textureBuffer four;
layout(set = 0, binding = 2, r32ui) uniform uimageBuffer dst;
layout(set = 0, binding = 3, r32ui) uniform readonly uimageBuffer img;
layout(set = 0, binding = 4) buffer O { uvec4 o[]; };
layout(set = 0, binding = 5) buffer F { vec4 f[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  o[i] = texelFetch(one, at[i]);
  f[i] = texelFetch(four, at[i]);
  o[8 + i] = imageLoad(img, at[i]);
  imageStore(dst, at[i], uvec4(6));
  imageAtomicAdd(dst, at[i], 2u);
}

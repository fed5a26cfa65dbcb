// SPDX-License-Identifier: MIT
// Texel buffers of GLSL's samplerBuffer, which are combined with a sampler in SPIR-V but not in Vulkan: fetches, sizes, an
// array of them, and as parameters of a function.
//! target vulkan1.1
//! buffer floats texel f32 : 0..63
//! buffer ints texel i32 : -32..31
//! buffer bytes texel u8 : 0..63
//! buffer more texel f32 : 1000..1015
//! bind 0.1 texel floats format=r32_sfloat
//! bind 0.2 texel ints format=r32_sint
//! bind 0.3[0] texel bytes format=r8_uint
//! bind 0.3[1] texel bytes format=r8g8_uint
//! bind 0.4 texel more format=r32g32b32a32_sfloat
//! buffer 0.0 i32 : 0*64
//! expect 0.0 i32 : eval 64 { i + (i - 32) * 64 + i * 4096 + (64 + 32 + 4) * 262144 + 1000 + i % 16 }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { int b[]; };
layout(set = 0, binding = 1) uniform samplerBuffer floats;
layout(set = 0, binding = 2) uniform isamplerBuffer ints;
layout(set = 0, binding = 3) uniform usamplerBuffer lists[2];
layout(set = 0, binding = 4) uniform samplerBuffer more;
float component(samplerBuffer from, int i) { return texelFetch(from, i / 4)[i % 4]; }
void main() {
  int i = int(gl_LocalInvocationIndex);
  int third = (i & 1) != 0 ? int(texelFetch(lists[1], i / 2).y) : int(texelFetch(lists[0], i).x);
  int sizes = textureSize(floats) + textureSize(lists[1]) + textureSize(more);
  b[i] = int(texelFetch(floats, i).x) + texelFetch(ints, i).x * 64 + third * 4096 + sizes * 262144 +
         int(component(more, i % 16));
}

// SPDX-License-Identifier: MIT
// Arrays of every kind of descriptor, indexed by values that differ among invocations.
//! requires shaderUniformBufferArrayNonUniformIndexing shaderSampledImageArrayNonUniformIndexing
//! requires shaderStorageImageArrayNonUniformIndexing shaderUniformTexelBufferArrayNonUniformIndexing
//! requires shaderStorageTexelBufferArrayNonUniformIndexing
//! buffer 0.0[0] uniform u32 : 1 0 0 0
//! buffer 0.0[1] uniform u32 : 2 0 0 0
//! buffer 0.0[2] uniform u32 : 3 0 0 0
//! image I0 r32_uint 2d 1x1 : u32 10
//! image I1 r32_uint 2d 1x1 : u32 20
//! image I2 r32_uint 2d 1x1 : u32 30
//! bind 0.1[0] sampled-image I0
//! bind 0.1[1] sampled-image I1
//! bind 0.1[2] sampled-image I2
//! bind 0.2[0] storage-image I2
//! bind 0.2[1] storage-image I1
//! bind 0.2[2] storage-image I0
//! buffer T0 u32 : 100
//! buffer T1 u32 : 200
//! buffer T2 u32 : 300
//! bind 0.3[0] texel T0 format=r32_uint
//! bind 0.3[1] texel T1 format=r32_uint
//! bind 0.3[2] texel T2 format=r32_uint
//! buffer S0 u32 : 1000 0
//! buffer S1 u32 : 2000 0
//! buffer S2 u32 : 3000 0
//! bind 0.4[0] storage-texel S0 format=r32_uint
//! bind 0.4[1] storage-texel S1 format=r32_uint
//! bind 0.4[2] storage-texel S2 format=r32_uint
//! buffer 0.5 u32 : 0*64
//! expect 0.5 u32 : eval 64 { (i % 3 + 1) * 1111 + (3 - i % 3) * 10 }
//! expect S0 u32 : 1000 22
//! expect S1 u32 : 2000 21
//! expect S2 u32 : 3000 21
#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform U { uint u; } uniforms[3];
layout(set = 0, binding = 1) uniform utexture2D images[3];
layout(set = 0, binding = 2, r32ui) uniform uimage2D storage[3];
layout(set = 0, binding = 3) uniform utextureBuffer texels[3];
layout(set = 0, binding = 4, r32ui) uniform uimageBuffer storageTexels[3];
layout(set = 0, binding = 5) buffer B { uint b[]; };
void main() {
  uint i = gl_LocalInvocationIndex, n = i % 3;
  uint sum = uniforms[nonuniformEXT(n)].u;
  sum += texelFetch(images[nonuniformEXT(n)], ivec2(0), 0).x;
  sum += imageLoad(storage[nonuniformEXT(n)], ivec2(0)).x;
  sum += texelFetch(texels[nonuniformEXT(n)], 0).x;
  sum += imageLoad(storageTexels[nonuniformEXT(n)], 0).x;
  imageAtomicAdd(storageTexels[nonuniformEXT(n)], 1, 1u);
  b[i] = sum;
}

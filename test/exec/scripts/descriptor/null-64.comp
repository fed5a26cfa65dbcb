// SPDX-License-Identifier: MIT
// Null descriptors of images with 64-bit texels: all components that loads give are zero, the last one, too; with a
// descriptor it is one.
//! requires nullDescriptor robustBufferAccess2 robustImageAccess2 shaderImageInt64Atomics shaderInt64
//! requires shaderStorageImageReadWithoutFormat
//! image img r64_uint 2d 1x1 : u64 bits(0x500000007)
//! bind 0.0 storage-image null
//! bind 0.1 storage-texel null
//! bind 0.2 storage-image img
//! buffer 0.3 u64 : 9*12
//! expect 0.3 u64 : bits(0x0)*8 bits(0x500000007) bits(0x0)*2 bits(0x1)
#version 450
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_image_load_formatted : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform u64image2D none;
layout(set = 0, binding = 1) uniform u64imageBuffer noBuffer;
layout(set = 0, binding = 2) uniform u64image2D img;
layout(set = 0, binding = 3) buffer O { uint64_t o[]; };
void main() {
  u64vec4 x = imageLoad(none, ivec2(0)), y = imageLoad(noBuffer, 0), z = imageLoad(img, ivec2(0));
  for (uint i = 0u; i < 4u; ++i) {
    o[i] = x[i];
    o[i + 4u] = y[i];
    o[i + 8u] = z[i];
  }
}

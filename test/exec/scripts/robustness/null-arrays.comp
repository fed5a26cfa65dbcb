// SPDX-License-Identifier: MIT
// Null descriptors among others in arrays with dynamic indices; stores and atomics on them; a null
// image with a sampler; lengths and sizes.
//! requires nullDescriptor robustBufferAccess2 robustImageAccess2
//! buffer first u32 : 11 12
//! buffer third u32 : 31 32
//! image img r32_uint 2d 2x1 : u32 5 6
//! sampler smp filter=linear
//! bind 0.0[0] storage first
//! bind 0.0[1] storage null
//! bind 0.0[2] storage third
//! bind 0.1[0] storage-image null
//! bind 0.1[1] storage-image img
//! bind 0.2[0] combined null smp
//! bind 0.3 storage-texel null
//! buffer 0.4 u32 : 9*12
//! expect 0.4 u32 : 11 0 31 0 6 2 0 2 0 2 0 0
//! expect first u32 : 11 112
//! expect third u32 : 31 132
//! expect img u32 : 5 7
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer A { uint a[]; } buffers[3];
layout(set = 0, binding = 1, r32ui) uniform uimage2D images[2];
layout(set = 0, binding = 2) uniform sampler2D tex[1];
layout(set = 0, binding = 3, r32ui) uniform uimageBuffer texels;
layout(set = 0, binding = 4) buffer O { uint o[]; };
void main() {
  for (uint k = 0; k < 3; ++k) {
    o[k] = buffers[k].a[0];
    buffers[k].a[1] += 50;
    atomicAdd(buffers[k].a[1], 50);
  }
  for (uint k = 0; k < 2; ++k) {
    o[3 + k] = imageLoad(images[k], ivec2(1, 0)).x;
    imageAtomicAdd(images[k], ivec2(1, 0), 1u);
  }
  o[5] = buffers[0].a.length();
  o[6] = buffers[1].a.length();
  o[7] = imageSize(images[1]).x;
  o[8] = imageSize(images[0]).x;
  vec4 sampled = textureLod(tex[0], vec2(0.5), 0.0);
  o[9] = sampled.rgb == vec3(0) && (sampled.a == 0 || sampled.a == 1) ? 2 : 1;
  imageStore(texels, 0, uvec4(1));
  imageAtomicOr(texels, 3, 1u);
  o[10] = imageSize(texels);
  o[11] = imageLoad(texels, 0).x;
}

// SPDX-License-Identifier: MIT
// Fragments by index and the mask that names them, behind a dispatch that has stored the samples. As the extension has it:
// what the mask names for a sample is what the sample holds.
//! requires VK_AMD_shader_fragment_mask
//! requires shaderStorageImageMultisample
//! image img r32_uint 2d 4x2 samples=4
//! sampler s filter=nearest mip=nearest
//! bind 0.0 storage-image img
//! bind 0.1 combined img s
//! buffer 0.2 u32 : 9*65
//! dispatch 1
//! dispatch 1 base=1,0,0
//! expect 0.2 u32 : eval 65 { i < 32 ? i * i + 3 : i < 64 ? (i - 32) * (i - 32) + 3 : 1 }
#version 450
#extension GL_AMD_shader_fragment_mask : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2DMS img;
layout(set = 0, binding = 1) uniform usampler2DMS source;
layout(set = 0, binding = 2) buffer O { uint o[]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  ivec2 place = ivec2(i / 4 % 4, i / 16);
  if (gl_WorkGroupID.x == 0) {
    imageStore(img, place, int(i % 4), uvec4(i * i + 3));
    return;
  }
  uint mask = fragmentMaskFetchAMD(source, place);
  uint fragment = mask >> (4 * (i % 4)) & 0xF;
  o[i] = fragmentFetchAMD(source, place, fragment).x;
  o[i + 32] = texelFetch(source, place, int(i % 4)).x;
  // No two samples share a fragment where all differ.
  if (i == 0)
    o[64] = (mask & 0xF) != (mask >> 4 & 0xF) ? 1 : 0;
}

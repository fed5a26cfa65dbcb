// SPDX-License-Identifier: MIT
// Null descriptors: loads give zero, stores do nothing, sizes are zero.
//! requires nullDescriptor robustBufferAccess2 robustImageAccess2
//! bind 0.0 storage null
//! bind 0.1 uniform null
//! bind 0.2 texel null
//! bind 0.3 storage-image null
//! bind 0.4 sampled-image null
//! buffer 0.5 u32 : 9*8
//! expect 0.5 u32 : 0 0 0 0 0 0 0 7
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) uniform U { uint u; };
layout(set = 0, binding = 2) uniform utextureBuffer t;
layout(set = 0, binding = 3, r32ui) uniform uimage2D img;
layout(set = 0, binding = 4) uniform utexture2D tex;
layout(set = 0, binding = 5) buffer O { uint o[]; };
void main() {
  o[0] = a[0];
  a[1] = 5;
  o[1] = u;
  o[2] = texelFetch(t, 0).x;
  o[3] = imageLoad(img, ivec2(0)).x;
  imageStore(img, ivec2(0), uvec4(3));
  o[4] = texelFetch(tex, ivec2(0), 0).x;
  o[5] = a.length();
  o[6] = uint(imageSize(img).x);
  o[7] = 7;
}

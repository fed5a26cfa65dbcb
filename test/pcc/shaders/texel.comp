// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) uniform textureBuffer from;
layout(binding = 1, r32ui) uniform uimageBuffer to;
shared uint sums[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  sums[i] = uint(texelFetch(from, int(i)).x);
  barrier();
  imageAtomicAdd(to, int(i), sums[63u - i]);
}

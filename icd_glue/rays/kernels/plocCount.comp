// SPDX-License-Identifier: MIT
// The second quarter: how many clusters of a workgroup are left.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "tree.glsl"
#include "ploc.glsl"
layout(local_size_x = 256) in;

void main() {
  uint count = countOfRound(args.step);
  bool isLeft = gl_GlobalInvocationID.x < count && count > 1 && isKept(gl_GlobalInvocationID.x);
  uint total;
  sumBefore(isLeft ? 1 : 0, total);
  if (gl_LocalInvocationIndex == 0)
    store(blockCountAt(gl_WorkGroupID.x), total);
}

// SPDX-License-Identifier: MIT
// The first quarter of a round of clustering, `step`: each cluster's nearest neighbour.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "tree.glsl"
#include "ploc.glsl"
layout(local_size_x = 256) in;

void main() {
  uint count = countOfRound(args.step);
  if (gl_GlobalInvocationID.x < count && count > 1)
    findNearest(args.step, gl_GlobalInvocationID.x, count);
}

// SPDX-License-Identifier: MIT
// The last quarter: the clusters of the next round, in order.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "tree.glsl"
#include "ploc.glsl"
layout(local_size_x = 256) in;

void main() {
  uint place = gl_GlobalInvocationID.x;
  uint count = countOfRound(args.step);
  bool isLeft = place < count && count > 1 && isKept(place);
  uint total;
  uint rank = sumBefore(isLeft ? 1 : 0, total);
  if (isLeft)
    store(clusterAt(args.step + 1, load(blockCountAt(gl_WorkGroupID.x)) + rank), mergedCluster(args.step, place));
}

// SPDX-License-Identifier: MIT
// All rounds that are left, by one workgroup.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "tree.glsl"
#include "ploc.glsl"
layout(local_size_x = 256) in;

void main() {
  uint self = gl_LocalInvocationIndex;
  uint round = load(args.scratch + stateRestRound);
  uint count = load(args.scratch + (round == 0 ? stateActive : stateRestCount));
  for (; count > 1; ++round) {
    for (uint place = self; place < count; place += groupSize)
      findNearest(round, place, count);
    memoryBarrierBuffer();
    barrier();
    uint left = 0;
    for (uint first = 0; first < count; first += groupSize) {
      bool isLeft = first + self < count && isKept(first + self);
      uint total;
      uint rank = sumBefore(isLeft ? 1 : 0, total);
      if (isLeft)
        store(clusterAt(round + 1, left + rank), mergedCluster(round, first + self));
      left += total;
    }
    count = left;
    memoryBarrierBuffer();
    barrier();
  }
}

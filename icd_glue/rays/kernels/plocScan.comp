// SPDX-License-Identifier: MIT
// The third quarter, one workgroup: sums of the counts before each, and what the next round is. Rounds end where one
// workgroup does the rest.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "tree.glsl"
#include "ploc.glsl"
layout(local_size_x = 256) in;

void main() {
  uint self = gl_LocalInvocationIndex;
  uint count = countOfRound(args.step);
  uint left = 0;
  uint blocks = count > 1 ? (count + groupSize - 1) / groupSize : 0;
  for (uint first = 0; first < blocks; first += groupSize) {
    bool exists = first + self < blocks;
    uint value = exists ? load(blockCountAt(first + self)) : 0;
    uint total;
    uint before = sumBefore(value, total);
    if (exists)
      store(blockCountAt(first + self), left + before);
    left += total;
  }
  if (self != 0)
    return;
  bool goesOn = left > plocRestCount;
  store(countOfRoundAt(args.step + 1), goesOn ? left : 0);
  store(args.scratch + statePlocGroups + 12 * (args.step + 1 & 1u), goesOn ? (left + groupSize - 1) / groupSize : 0);
  if (blocks != 0) {
    store(args.scratch + stateRestCount, left);
    store(args.scratch + stateRestRound, args.step + 1);
  }
}

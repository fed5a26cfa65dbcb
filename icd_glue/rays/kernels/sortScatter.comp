// SPDX-License-Identifier: MIT
// The last third of a pass of the sort: pairs go to their places.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "sort.glsl"
layout(local_size_x = 256) in; // one for each digit

const uint maxSubgroups = groupSize / 32;
shared uint places[digits];                  // of the next pair with that digit
shared uint counts[maxSubgroups * digits];   // pairs of a round, by subgroup

/// Invocations of the subgroup with the same digit.
uvec4 alike(bool exists, uint digit) {
  uvec4 mask = subgroupBallot(exists);
  for (uint bit = 0; bit < digitBits; ++bit) {
    bool isSet = (digit >> bit & 1u) != 0;
    uvec4 having = subgroupBallot(isSet);
    mask &= isSet ? having : ~having;
  }
  return mask;
}

void main() {
  uint self = gl_LocalInvocationIndex;
  places[self] = load(countAt(self, gl_WorkGroupID.x));
  for (uint round = 0; round < sortBlock; round += groupSize) {
    for (uint group = 0; group < maxSubgroups; ++group)
      counts[group * digits + self] = 0;
    barrier();
    uint place = gl_WorkGroupID.x * sortBlock + round + self;
    bool exists = place < args.leafCount;
    uvec2 pair = exists ? load2(inputAt(place)) : uvec2(0);
    uint digit = digitOf(pair.x);
    uvec4 mask = alike(exists, digit);
    uint rank = subgroupBallotExclusiveBitCount(mask);
    if (exists && rank == 0)
      counts[gl_SubgroupID * digits + digit] = subgroupBallotBitCount(mask);
    barrier();
    if (exists) {
      uint target = places[digit] + rank;
      for (uint group = 0; group < gl_SubgroupID; ++group)
        target += counts[group * digits + digit];
      store2(outputAt(target), pair);
    }
    barrier();
    for (uint group = 0; group < maxSubgroups; ++group)
      places[self] += counts[group * digits + self];
  }
}

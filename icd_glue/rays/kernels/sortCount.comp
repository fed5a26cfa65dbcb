// SPDX-License-Identifier: MIT
// The first third of a pass of the sort: how often a block has each digit.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "sort.glsl"
layout(local_size_x = 256) in; // one for each digit

shared uint counts[digits];

void main() {
  uint self = gl_LocalInvocationIndex;
  counts[self] = 0;
  barrier();
  for (uint round = 0; round < sortBlock; round += groupSize) {
    uint place = gl_WorkGroupID.x * sortBlock + round + self;
    if (place < args.leafCount)
      atomicAdd(counts[digitOf(load(inputAt(place)))], 1u);
  }
  barrier();
  store(countAt(self, gl_WorkGroupID.x), counts[self]);
}

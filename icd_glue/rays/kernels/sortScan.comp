// SPDX-License-Identifier: MIT
// The second third of a pass of the sort, one workgroup: sums of all counts before each.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "sort.glsl"
layout(local_size_x = 256) in;

shared uint sums[groupSize];

void main() {
  uint self = gl_LocalInvocationIndex;
  uint number = digits * blockCount();
  uint before = 0;
  for (uint first = 0; first < number; first += groupSize) { // a multiple of groupSize
    uint64_t address = scratchArray(placeCounts) + 4ul * (first + self);
    uint value = load(address);
    uint within = subgroupExclusiveAdd(value);
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1)
      sums[gl_SubgroupID] = within + value;
    barrier();
    uint total = 0, earlier = 0;
    for (uint group = 0; group < gl_NumSubgroups; ++group) {
      if (group == gl_SubgroupID)
        earlier = total;
      total += sums[group];
    }
    store(address, before + earlier + within);
    before += total;
    barrier();
  }
}

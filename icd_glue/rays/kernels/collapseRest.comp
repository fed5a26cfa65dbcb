// SPDX-License-Identifier: MIT
// Box nodes of all levels from `step` on, by one workgroup.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "tree.glsl"
#include "wide.glsl"
#include "collapse.glsl"
layout(local_size_x = 256) in;

shared uint counts[2]; // of an even level's list, of an odd one's

uint append(uint level) { return atomicAdd(counts[(level + 1) & 1u], 1u); }

void main() {
  uint self = gl_LocalInvocationIndex;
  if (self < 2)
    counts[self] = self == (args.step & 1u) ? load(args.scratch + stateLevelCount + 4 * args.step) : 0;
  barrier();
  for (uint level = args.step;; ++level) {
    uint number = counts[level & 1u];
    if (number == 0)
      break;
    for (uint entry = self; entry < number; entry += groupSize)
      writeBox(level, entry);
    memoryBarrierBuffer();
    barrier();
    if (self == 0)
      counts[level & 1u] = 0;
    barrier();
  }
}

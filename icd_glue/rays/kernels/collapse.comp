// SPDX-License-Identifier: MIT
// Box nodes of one level, `step`, and the list of the next. The dispatch is indirect.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "tree.glsl"
#include "wide.glsl"
#include "collapse.glsl"
layout(local_size_x = 256) in;

uint append(uint level) {
  uint place = atomicAdd(Word(args.scratch + stateLevelCount + 4 * (level + 1)).value, 1u);
  atomicMax(Word(args.scratch + stateLevelGroups + 12 * (level + 1)).value, place / groupSize + 1);
  return place;
}

void main() {
  if (gl_GlobalInvocationID.x < load(args.scratch + stateLevelCount + 4 * args.step))
    writeBox(args.step, gl_GlobalInvocationID.x);
}

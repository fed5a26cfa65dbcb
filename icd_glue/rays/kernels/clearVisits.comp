// SPDX-License-Identifier: MIT
// The first step of an update: no box node has been visited.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "update.glsl"
layout(local_size_x = 256) in;

void main() {
  uint index = gl_GlobalInvocationID.x;
  if (index < load(args.structure + headerLinksStart) / 2 + 1)
    store(visitsAt(2 * index), 0);
}

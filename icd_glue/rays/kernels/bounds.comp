// SPDX-License-Identifier: MIT
// Bounds of the binary tree's nodes, from the leaves up: whoever comes second to a node goes on.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "tree.glsl"
layout(local_size_x = 256) in;

void main() {
  uint place = gl_GlobalInvocationID.x;
  if (place >= load(args.scratch + stateActive) || !isRadixTree())
    return;
  uint node = load(leafParentAt(place));
  while (node != nodeNone) {
    uint64_t address = treeAt(node);
    memoryBarrierBuffer();
    if (atomicAdd(Word(address + treeVisits).value, 1u) == 0)
      return;
    memoryBarrierBuffer();
    storeBounds(address + treeBounds, merged(boundsOf(load(address + treeLeft)), boundsOf(load(address + treeRight))));
    node = load(address + treeParent);
  }
}

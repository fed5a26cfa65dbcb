// SPDX-License-Identifier: MIT
// Bounds of box nodes after an update of leaves, from these up: whoever comes last goes on.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "update.glsl"
layout(local_size_x = 256) in;

/// Children of a box node; sets the bounds of \p id.
uint replaceBounds(uint64_t box, uint id, Bounds bounds) {
  uint number = 0;
  for (uint child = 0; child < boxChildren; ++child) {
    uint other = load(box + boxChildId + 4 * child);
    if (other == id)
      storeBounds(box + boxChildBounds + boxBoundsStride * child, bounds);
    number += other == nodeNone ? 0 : 1;
  }
  return number;
}

Bounds boundsOfBox(uint64_t box) {
  // Of numbers: bounds that are none do not count.
  Bounds bounds = Bounds(vec3(largest), vec3(-largest));
  for (uint child = 0; child < boxChildren; ++child) {
    Bounds other = loadBounds(box + boxChildBounds + boxBoundsStride * child);
    if (load(box + boxChildId + 4 * child) != nodeNone && !hasNan(other.low))
      bounds = merged(bounds, other);
  }
  return bounds;
}

void main() {
  uint leaf = gl_GlobalInvocationID.x;
  if (leaf >= args.leafCount)
    return;
  uint64_t links = linksOf(args.structure);
  uint id = leafId(leaf);
  Bounds bounds = loadBounds(leafBoundsAt(leaf));
  uint parent = load(linkAt(links, granuleOf(id)));
  while (parent != nodeNone) {
    uint64_t box = args.structure + uint64_t(granuleOf(parent)) * nodeGranule;
    uint children = replaceBounds(box, id, bounds);
    memoryBarrierBuffer();
    if (atomicAdd(Word(visitsAt(granuleOf(parent))).value, 1u) + 1 < children)
      return;
    memoryBarrierBuffer();
    id = parent;
    bounds = boundsOfBox(box);
    parent = load(linkAt(links, granuleOf(id)));
    if (parent == nodeNone)
      storeBounds(args.structure + headerBounds, bounds);
  }
}

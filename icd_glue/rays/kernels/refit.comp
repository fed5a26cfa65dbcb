// SPDX-License-Identifier: MIT
// Bounds of box nodes after an update of leaves, from these up: whoever comes last goes on.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "update.glsl"
#include "wide.glsl"
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

/// Children of a wide box node.
uint countOf(uint64_t box) { return (load(box + wideExponents) >> wideCountShift & 7u) + 1; }

/// A wide box node again, out of the bounds of its children; returns what is around them.
Bounds writeWideBox(uint64_t box) {
  uint number = countOf(box);
  uint boxes = load(box + wideBoxBase) >> 3, leaves = load(box + wideLeafBase) >> 3; // granules
  uint granules[wideChildren];
  Bounds all = Bounds(vec3(noNumber), vec3(noNumber));
  for (uint child = 0; child < number; ++child) {
    uint kind = load(childAt(box, child) + 8) >> 24;
    uint step = (kind >> 4) * (wideNodeBytes / nodeGranule);
    bool isBox = (kind & wideTypeMask) == nodeBox32;
    granules[child] = isBox ? boxes : leaves;
    boxes += isBox ? step : 0;
    leaves += isBox ? 0 : step;
    Bounds other = loadBounds(boundsAt(granules[child]));
    if (!hasNan(other.low))
      all = hasNan(all.low) ? other : merged(all, other);
  }
  Grid grid = Grid(vec3(0), uvec3(wideLeastExponent));
  if (!hasNan(all.low))
    grid = gridOf(all);
  storeGrid(box + wideOrigin, grid, number);
  for (uint child = 0; child < number; ++child)
    storeChild(childAt(box, child), grid, loadBounds(boundsAt(granules[child])),
               load(childAt(box, child) + 8) & 0xFF000000u);
  return all;
}

void main() {
  uint leaf = gl_GlobalInvocationID.x;
  if (leaf >= args.leafCount)
    return;
  uint64_t links = linksOf(args.structure);
  uint id = leafId(leaf);
  if (isWide && id == nodeNone)
    return;
  Bounds bounds = loadBounds(leafBoundsAt(leaf));
  uint parent = load(linkAt(links, granuleOf(id)));
  while (parent != nodeNone) {
    uint64_t box = nodeAt(args.structure, parent);
    uint children;
    if (isWide) {
      storeBounds(boundsAt(granuleOf(id)), bounds);
      children = countOf(box);
    } else {
      children = replaceBounds(box, id, bounds);
    }
    memoryBarrierBuffer();
    if (atomicAdd(Word(visitsAt(granuleOf(parent))).value, 1u) + 1 < children)
      return;
    memoryBarrierBuffer();
    id = parent;
    if (isWide)
      bounds = writeWideBox(box);
    else
      bounds = boundsOfBox(box);
    parent = load(linkAt(links, granuleOf(id)));
    if (parent == nodeNone)
      storeBounds(args.structure + headerBounds, bounds);
  }
}

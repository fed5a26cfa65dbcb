// SPDX-License-Identifier: MIT
// What is known of a structure when it has been built.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "tree.glsl"
#include "wide.glsl"
#include "collapse.glsl"
layout(local_size_x = 1) in;

uint append(uint level) { return 0; } // one leaf has no boxes below it

/// The root of a structure of one leaf, or none.
void writeRoot(uint leaves) {
  uint children[wideChildren];
  children[0] = treeLeaf;
  if (leaves != 0) {
    writeBoxOf(rootOffset / nodeGranule, 0, children, 1);
    return;
  }
  uint64_t root = args.structure + rootOffset;
  if (isWide) {
    storeWideBox(root, Grid(vec3(0), uvec3(wideLeastExponent)), 0, 0, 0);
    for (uint child = 0; child < wideChildren; ++child)
      storeNoChild(childAt(root, child));
  } else {
    writeNarrowBox(root, children, children, 0);
  }
}

void main() {
  uint leaves = load(args.scratch + stateActive);
  uint boxes = load(args.scratch + stateBoxes);
  uint64_t header = args.structure;
  if (leaves < 2)
    writeRoot(leaves);
  Bounds bounds = Bounds(vec3(noNumber), vec3(noNumber));
  if (leaves != 0)
    bounds = boundsOf(leaves == 1 ? treeLeaf : 0);
  storeBounds(header + headerBounds, bounds);
  uint64_t granules = load(header + headerLinksStart);
  uint64_t usedGranules = load(header + headerBoxStart) + boxes * (boxBytes / nodeGranule);
  uint64_t size = granules * (nodeGranule + 4);
  uint64_t handles = args.kind == kindInstances ? args.leafCount : 0;
  uint64_t handleBytes = (serialHandles + handles * 8 + nodeGranule - 1) / nodeGranule * nodeGranule;
  store(header + headerActiveCount, leaves);
  store(header + headerBoxCount, boxes + 1);
  store64(header + headerSize, size);
  store64(header + headerCompactedSize, usedGranules * (nodeGranule + 4));
  store64(header + headerSerializedSize, handleBytes + size);
  store64(header + headerHandleCount, handles);
}

// SPDX-License-Identifier: MIT
// What is known of a structure when it has been built.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "tree.glsl"
layout(local_size_x = 1) in;

/// The root of a structure of one leaf, or none.
void writeRoot(uint leaves) {
  uint64_t box = args.structure + rootOffset;
  for (uint child = 0; child < boxChildren; ++child) {
    bool exists = child < leaves;
    uint id = nodeNone;
    Bounds bounds = Bounds(vec3(noNumber), vec3(noNumber));
    if (exists) {
      id = leafId(leafOf(treeLeaf));
      bounds = boundsOf(treeLeaf);
      store(linkAt(linksOf(args.structure), granuleOf(id)), rootId);
    }
    store(box + boxChildId + 4 * child, id);
    storeBounds(box + boxChildBounds + boxBoundsStride * child, bounds);
  }
  for (uint offset = boxFlags; offset < boxBytes; offset += 4)
    store(box + offset, 0);
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

// SPDX-License-Identifier: MIT
// AABB nodes of a geometry, at their final places.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "leaves.glsl"
layout(local_size_x = 256) in;

void storeAabb(uint64_t node, Bounds bounds, uint primitive) {
  if (isWide) {
    vec3 points[3] = vec3[3](bounds.low, bounds.high, vec3(0));
    storeWidePrimitive(node, wideAabbHead, widePairAabb, points, primitive);
    return;
  }
  for (uint offset = 24; offset < leafBytes; offset += 4)
    store(node + offset, 0);
  storeBounds(node + aabbBounds, bounds);
  storeLeafIds(node, primitive);
}

void main() {
  Range range = geometryRange();
  uint primitive = gl_GlobalInvocationID.x;
  uint leaf = args.firstLeaf + primitive;
  bool exists = primitive < args.maxPrimitives;
  bool isActive = primitive < range.primitives;
  Bounds bounds = Bounds(vec3(noNumber), vec3(noNumber));
  if (isActive) {
    bounds = loadBounds(args.source + range.offset + uint64_t(args.stride) * primitive);
    isActive = !hasNan(bounds.low) && !hasNan(bounds.high);
  }
  uint64_t node;
  if (findLeaf(leaf, exists, node)) {
    Bounds none = Bounds(vec3(noNumber), vec3(noNumber));
    if (isActive)
      storeAabb(node, bounds, primitive);
    else
      storeAabb(node, none, primitive);
  }
  finishLeaf(leaf, exists, isActive, bounds);
}

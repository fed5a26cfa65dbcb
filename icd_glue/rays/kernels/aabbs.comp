// SPDX-License-Identifier: MIT
// AABB nodes of a geometry, at their final places.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "leaves.glsl"
layout(local_size_x = 256) in;

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
  if (exists) {
    uint64_t node = args.structure + leafOffset(leaf);
    for (uint offset = 24; offset < leafBytes; offset += 4)
      store(node + offset, 0);
    Bounds none = Bounds(vec3(noNumber), vec3(noNumber));
    if (isActive)
      storeBounds(node + aabbBounds, bounds);
    else
      storeBounds(node + aabbBounds, none);
    storeLeafIds(node, primitive);
  }
  finishLeaf(leaf, exists, isActive, bounds);
}

// SPDX-License-Identifier: MIT
// What kernels that write leaves share: the range of a geometry, and what becomes of a leaf.

struct Range {
  uint primitives, offset, firstVertex, transformOffset;
};
Range geometryRange() {
  if (args.range == 0)
    return Range(args.primitives, args.primitiveOffset, args.firstVertex, args.transformOffset);
  uvec4 words = Quad(args.range).value;
  return Range(min(words.x, args.maxPrimitives), words.y, words.z, words.w);
}

/// Row-major 3x4.
struct Transform {
  vec4 rows[3];
};
Transform loadTransform(uint64_t address) {
  Transform transform;
  for (uint row = 0; row < 3; ++row)
    transform.rows[row] = vec4(loadFloat3(address + 16 * row), loadFloat(address + 16 * row + 12));
  return transform;
}
void storeTransform(uint64_t address, Transform transform) {
  for (uint row = 0; row < 3; ++row) {
    storeFloat3(address + 16 * row, transform.rows[row].xyz);
    store(address + 16 * row + 12, floatBitsToUint(transform.rows[row].w));
  }
}
vec3 apply(Transform transform, vec3 point) {
  vec4 extended = vec4(point, 1);
  return vec3(dot(transform.rows[0], extended), dot(transform.rows[1], extended),
              dot(transform.rows[2], extended));
}

/// The centre that Morton codes are made of; halves, because a sum may be infinite.
vec3 centerOf(Bounds bounds) { return bounds.low * 0.5 + bounds.high * 0.5; }

/// Whether the node of the leaf is to be written, at \p node.
bool findLeaf(uint leaf, bool exists, out uint64_t node) {
  uint id = exists && (args.step & leavesNodes) != 0 ? leafId(leaf) : nodeNone;
  node = nodeAt(args.structure, id);
  return id != nodeNone;
}

/// Counts the leaf, if it \p isActive, with its bounds for the tree. All invocations call it.
void finishLeaf(uint leaf, bool exists, bool isActive, Bounds bounds) {
  if ((args.step & leavesBounds) == 0)
    return;
  // Infinite boxes are not what all hardware sorts well, and have no size.
  bounds.low = clamp(bounds.low, vec3(-largest), vec3(largest));
  bounds.high = clamp(bounds.high, vec3(-largest), vec3(largest));
  if (exists) {
    if (!isActive)
      bounds = Bounds(vec3(noNumber), vec3(noNumber));
    storeBounds(leafBoundsAt(leaf), bounds);
  }
  vec3 center = centerOf(bounds);
  vec3 low = subgroupMin(isActive ? center : vec3(largest));
  vec3 high = subgroupMax(isActive ? center : vec3(-largest));
  uint found = subgroupBallotBitCount(subgroupBallot(isActive));
  if (found == 0 || !subgroupElect())
    return;
  atomicAdd(Word(args.scratch + stateActive).value, found);
  for (uint axis = 0; axis < 3; ++axis) {
    atomicMin(Word(args.scratch + stateMinimum + 4 * axis).value, ordered(low[axis]));
    atomicMax(Word(args.scratch + stateMaximum + 4 * axis).value, ordered(high[axis]));
  }
}

/// A wide node of three vertices, or of two corners and 0.
void storeWidePrimitive(uint64_t node, uint head, uint pair, vec3 points[3], uint primitive) {
  store(node, head);
  uint before = wideIdHead;
  for (uint i = 0; i < 9; ++i) {
    uint bits = floatBitsToUint(points[i / 3][i % 3]);
    store(node + wideVertexWord + 4 * i, before | bits << wideVertexShift);
    before = bits >> (32 - wideVertexShift);
  }
  store(node + wideVertexWord + 36, before);
  store(node + wideGeometry, (args.geometry & geometryIndexMask) << 4);
  store(node + widePrimitive, primitive);
  for (uint offset = widePrimitive + 4; offset < widePair; offset += 4)
    store(node + offset, 0);
  store(node + widePair, (pair | ((args.geometry & geometryOpaque) != 0 ? widePairOpaque : 0)) << 3);
}

/// Software's words of a leaf of a bottom level structure.
void storeLeafIds(uint64_t node, uint primitive) {
  store(node + leafPrimitive, primitive);
  store(node + leafGeometry, args.geometry);
}

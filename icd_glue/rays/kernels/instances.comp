// SPDX-License-Identifier: MIT
// Instance nodes, at their final places.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "leaves.glsl"
#include "wide.glsl"
layout(local_size_x = 256) in;

// VkAccelerationStructureInstanceKHR
const uint inputIndexAndMask = 48;
const uint inputOffsetAndFlags = 52;
const uint inputStructure = 56;
const uint inputBytes = 64;

// VkGeometryInstanceFlagBitsKHR << 24
const uint noFacingCull = 1u << 24;
const uint flipFacing = 2u << 24;
const uint forceOpaque = 4u << 24;
const uint forceNonOpaque = 8u << 24;

uint offsetAndFlags(uint word) {
  uint result = word & 0x00FFFFFFu;
  if ((word & noFacingCull) != 0)
    result |= instanceNoFacingCull;
  if ((word & flipFacing) != 0)
    result |= instanceFlipFacing;
  if ((word & forceOpaque) != 0)
    result |= instanceForceOpaque;
  if ((word & forceNonOpaque) == 0)
    result |= instanceNotForcedNonOpaque;
  return result;
}

/// In double precision: rays come into instances through it.
Transform inverted(Transform from) {
  dvec3 r0 = dvec3(from.rows[0].xyz), r1 = dvec3(from.rows[1].xyz), r2 = dvec3(from.rows[2].xyz);
  dvec3 c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
  double scale = 1.0lf / dot(r0, c0);
  dvec3 move = dvec3(from.rows[0].w, from.rows[1].w, from.rows[2].w);
  Transform to;
  for (uint row = 0; row < 3; ++row) {
    dvec3 values = dvec3(c0[row], c1[row], c2[row]) * scale;
    to.rows[row] = vec4(vec3(values), float(-dot(values, move)));
  }
  return to;
}

/// Bounds of a transformed box, widened by more than what the sums below and the transforms of rays
/// are rounded by.
Bounds transformed(Transform transform, Bounds box) {
  Bounds result;
  for (uint row = 0; row < 3; ++row) {
    vec3 atLow = transform.rows[row].xyz * box.low, atHigh = transform.rows[row].xyz * box.high;
    vec3 low = min(atLow, atHigh), high = max(atLow, atHigh);
    vec3 size = max(abs(low), abs(high));
    float move = transform.rows[row].w;
    float slack = (size.x + size.y + size.z + abs(move)) * (1.0 / 1048576.0);
    result.low[row] = low.x + low.y + low.z + move - slack;
    result.high[row] = high.x + high.y + high.z + move + slack;
  }
  // Infinity minus infinity.
  if (hasNan(result.low) || hasNan(result.high))
    result = Bounds(vec3(-largest), vec3(largest));
  return result;
}

/// A reference to anything but a bottom level structure is no valid usage: no such instance.
bool isBottomLevel(uint64_t structure) {
  return structure != 0 && (uint(structure) & (structureAlignment - 1)) == 0 &&
         load(structure + headerMagic) == formatMagic &&
         load(structure + headerKind) != kindInstances;
}

struct Instance {
  uint64_t structure;
  uint indexAndMask, offsetAndFlags;
  Transform transform;
  Bounds box; // of the structure
};

void storeInstance(uint64_t node, Instance instance, uint primitive) {
  store64(node + instanceBase, instance.structure >> 3);
  store(node + instanceCustomIndex, instance.indexAndMask);
  store(node + instanceSbtOffset, instance.offsetAndFlags);
  storeTransform(node + instanceWorldToObject, inverted(instance.transform));
  store(node + instanceIndex, primitive);
  storeTransform(node + instanceObjectToWorld, instance.transform);
}

void storeWideInstance(uint64_t node, Instance instance, uint primitive) {
  storeTransform(node + wideInstanceWorldToObject, inverted(instance.transform));
  store64(node + wideInstanceBase, instance.structure >> 3);
  store(node + wideInstanceUser, (instance.offsetAndFlags & 0x00FFFFFFu) | (instance.indexAndMask & 0xFF000000u));
  Grid grid = gridOf(instance.box);
  storeGrid(node + wideInstanceBox, grid, 1);
  storeChild(node + wideInstanceChild, grid, instance.box, nodeBox32 << 24 | 1u << 28);
  for (uint child = 1; child < 4; ++child)
    storeNoChild(node + wideInstanceChild + wideChildBytes * child);
  storeTransform(node + wideInstanceObjectToWorld, instance.transform);
  store(node + wideInstanceCustomIndex, instance.indexAndMask & 0x00FFFFFFu);
  store(node + wideInstanceFlags, instance.offsetAndFlags);
  store(node + wideInstanceIndex, primitive);
}

void main() {
  Range range = geometryRange();
  uint primitive = gl_GlobalInvocationID.x;
  uint leaf = args.firstLeaf + primitive;
  bool exists = primitive < args.maxPrimitives;
  bool isActive = primitive < range.primitives;
  uint64_t node;
  bool isWritten = findLeaf(leaf, exists, node);
  if (isWritten)
    for (uint offset = 0; offset < bytesOfLeaf(kindInstances); offset += 4)
      store(node + offset, 0);
  Bounds bounds = Bounds(vec3(noNumber), vec3(noNumber));
  if (isActive) {
    uint64_t base = args.source + range.offset;
    bool isPointer = args.flags != 0;
    uint64_t source = isPointer ? load64(base + 8ul * primitive) : base + uint64_t(inputBytes) * primitive;
    Instance instance;
    instance.structure = load64(source + inputStructure);
    isActive = isBottomLevel(instance.structure);
    if (isActive) {
      instance.indexAndMask = load(source + inputIndexAndMask);
      instance.offsetAndFlags = offsetAndFlags(load(source + inputOffsetAndFlags));
      instance.transform = loadTransform(source);
      instance.box = loadBounds(instance.structure + headerBounds);
      // Nothing is in there: the box is not a number.
      isActive = !hasNan(instance.box.low);
      bounds = transformed(instance.transform, instance.box);
      if (isWritten && isWide)
        storeWideInstance(node, instance, primitive);
      else if (isWritten)
        storeInstance(node, instance, primitive);
    }
  }
  finishLeaf(leaf, exists, isActive, bounds);
}

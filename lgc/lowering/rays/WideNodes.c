//===- WideNodes.c - traversal of gfx12's structures ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Nodes are tested by image_bvh8_intersect_ray, which transforms rays, too, and returns all that
/// is asked of a primitive. Its flags of pointers stay 0: flags are compared as elsewhere. Part of
/// RayQuery.c.

/// A float of a primitive node.
static float wideFloat(u64 leaf, u32 index) {
  u64 at = leaf + wideVertexWord + 4 * index;
  return floatOf(loadU32(at) >> wideVertexShift | loadU32(at + 4) << (32 - wideVertexShift));
}
static f3 wideVector(u64 leaf, u32 index) {
  return (f3){wideFloat(leaf, index), wideFloat(leaf, index + 1), wideFloat(leaf, index + 2)};
}

static f3 resultRay(WideResult result, u32 first) {
  return (f3){floatOf(result[first]), floatOf(result[first + 1]), floatOf(result[first + 2])};
}

static b1 meetWidePrimitive(Query q, u64 leaf, WideResult result) {
  const u32 sign = 0x80000000;
  u32 opaque = result[2] & sign ? 0 : geometryOpaque;
  struct Primitive primitive = {leaf, result[3] >> 1, result[8] >> 2 | opaque};
  if (result[1] & sign)
    return isAabbMet(q, wideVector(leaf, 0), wideVector(leaf, 3), inverseOf(q->localDirection)) &&
           describe(q, primitive, hitGenerated);
  float t = floatOf(result[0]) * q->unit;
  b1 front = !(result[3] & 1) != isFlipped(q);
  return isTriangleMet(q, t, front) &&
         takeTriangle(q, primitive, t, floatOf(result[1]), floatOf(result[2] & ~sign), front);
}

/// The nearest child is next; primitives come before boxes.
static void enterWideChildren(Query q, Stack stack, WideResult result) {
  q->next = result[0];
#pragma unroll
  for (u32 child = 7; child > 0; --child)
    if (result[child] != nodeNone && q->top < wideStackDwords)
      stack[q->top++] = result[child];
}

static void enterWideInstance(Query q, u64 address, WideResult result) {
  const u32 flags = 0xFFC00000;
  u64 base = (u64)(result[3] & ~flags) << 32 | result[2];
  u32 mask = loadU32(address + wideInstanceUser) >> 24;
  // An instance within an instance is not well formed.
  if (q->mark != nodeNone || !(mask & q->mask) || base == 0)
    return;
  q->instance = address;
  q->instanceFlags = loadU32(address + wideInstanceFlags);
  q->base = base;
  q->mark = q->top;
  setLocalRay(q, resultRay(result, resultOrigin), resultRay(result, resultDirection));
  q->next = rootId;
}

/// Tests the next node. True: the shader decides about a candidate.
static b1 visitWide(Query q, Stack stack) {
  u32 node = q->next, type = node & nodeTypeMask;
  u64 address = addressOf(q->base, node);
  // What an instance transforms is the ray as it was given. The boxes in there do not matter.
  b1 isInstance = type == nodeInstance;
  WideResult result = kilnRayTestWide(q->base, localDistance(q, q->committed.t), q->mask,
                                      isInstance ? q->origin : q->localOrigin,
                                      isInstance ? q->direction : q->localDirection, node);
  q->next = nodeNone;
  if (type == nodeBox32)
    enterWideChildren(q, stack, result);
  else if (isInstance)
    enterWideInstance(q, address, result);
  else if (type == nodeTriangle)
    return meetWidePrimitive(q, address, result);
  return 0;
}

//===- RayNodes.c - tests of nodes, as code of shaders ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the instructions of gfx10.3 and gfx11 do with a node, as code. Part of RayQuery.c.

struct Range {
  float entry, exit;
};

/// Where the ray is in a box; an entry of NaN if that is nowhere.
static struct Range clip(f3 low, f3 high, f3 origin, f3 inverse, float tMin, float tMax) {
  f3 a = (low - origin) * inverse, b = (high - origin) * inverse;
  f3 near = {inverse.x >= 0 ? a.x : b.x, inverse.y >= 0 ? a.y : b.y, inverse.z >= 0 ? a.z : b.z};
  f3 far = {inverse.x >= 0 ? b.x : a.x, inverse.y >= 0 ? b.y : a.y, inverse.z >= 0 ? b.z : a.z};
  float first = maximum(maximum(near.x, near.y), near.z);
  float last = minimum(minimum(far.x, far.y), far.z);
  struct Range range = {maximum(first, tMin), minimum(last, tMax)};
  b1 hit =
      isNumber(first) && isNumber(last) && range.entry <= range.exit * (1.0f + boxGrow * 0x1p-24f);
  range.entry = hit ? range.entry : __builtin_nanf("");
  return range;
}

#define EXCHANGE(a, b)                                                                             \
  {                                                                                                \
    b1 swap = ids[a] == nodeNone || (ids[b] != nodeNone && keys[b] < keys[a]);                     \
    u32 id = ids[a];                                                                               \
    float key = keys[a];                                                                           \
    ids[a] = swap ? ids[b] : id, ids[b] = swap ? id : ids[b];                                      \
    keys[a] = swap ? keys[b] : key, keys[b] = swap ? key : keys[b];                                \
  }

static u4 testBox(u64 address, float extent, f3 origin, f3 inverse) {
  u32 ids[4];
  float keys[4];
#pragma unroll
  for (u32 i = 0; i < boxChildren; ++i) {
    u64 bounds = address + boxChildBounds + i * boxBoundsStride;
    keys[i] = clip(loadF3(bounds), loadF3(bounds + 12), origin, inverse, 0, extent).entry;
    ids[i] = isNumber(keys[i]) ? loadU32(address + boxChildId + 4 * i) : nodeNone;
  }
  EXCHANGE(0, 2)
  EXCHANGE(1, 3)
  EXCHANGE(0, 1)
  EXCHANGE(2, 3)
  EXCHANGE(1, 2)
  return (u4){ids[0], ids[1], ids[2], ids[3]};
}

/// The vertex as the ray sees it: z along it, x and y across.
static f3 shear(f3 vertex, f3 origin, u32 zAxis, b1 swap, f3 factors) {
  f3 v = vertex - origin;
  float x = zAxis == 0 ? v.y : zAxis == 1 ? v.z : v.x;
  float y = zAxis == 0 ? v.z : zAxis == 1 ? v.x : v.y;
  float z = zAxis == 0 ? v.x : zAxis == 1 ? v.y : v.z;
  return (f3){(swap ? y : x) - factors.x * z, (swap ? x : y) - factors.y * z, factors.z * z};
}

static float edge(f3 a, f3 b) { return a.x * b.y - a.y * b.x; }
static float edgeExact(f3 a, f3 b) {
  return (float)((double)a.x * (double)b.y - (double)a.y * (double)b.x);
}
/// Does the edge go leftwards? Then right of it is what lies a little further up than the edge: of
/// all triangles around what is hit, an edge or a vertex, the one that is there has the hit.
static b1 isLeftward(f3 from, f3 to) { return to.x < from.x || (to.x == from.x && to.y < from.y); }

/// A power of two not far from 1 / \p size, whose own inverse is a normal number, too.
static float unitOf(float size) {
  const u32 exponent = 0x7F800000, least = 1u << 23, most = 253u << 23;
  u32 bits = bitsOf(size) & exponent;
  bits = bits < least ? least : bits > most ? most : bits;
  return floatOf((254u << 23) - bits);
}
static float largest(f3 v) {
  return maximum(maximum(__builtin_fabsf(v.x), __builtin_fabsf(v.y)), __builtin_fabsf(v.z));
}
/// Across the ray in units of the triangle, so that products of three are in range.
static f3 shrink(f3 v, float unit) { return (f3){v.x * unit, v.y * unit, v.z}; }

/// Watertight (Woop, Benthin, Wald: JCGT 2013).
static u4 testTriangle(u64 address, f3 origin, f3 direction) {
  u4 miss = {bitsOf(__builtin_inff()), bitsOf(1.0f), 0, 0};
  f3 size = {__builtin_fabsf(direction.x), __builtin_fabsf(direction.y),
             __builtin_fabsf(direction.z)};
  u32 axis = size.x > size.y ? 0 : 1;
  if (!((axis ? size.y : size.x) > size.z))
    axis = 2;
  float z = axis == 0 ? direction.x : axis == 1 ? direction.y : direction.z;
  float x = axis == 0 ? direction.y : axis == 1 ? direction.z : direction.x;
  float y = axis == 0 ? direction.z : axis == 1 ? direction.x : direction.y;
  b1 swap = z < 0;
  f3 factors = {(swap ? y : x) / z, (swap ? x : y) / z, 1.0f / z};
  f3 a = shear(loadF3(address), origin, axis, swap, factors);
  f3 b = shear(loadF3(address + 12), origin, axis, swap, factors);
  f3 c = shear(loadF3(address + 24), origin, axis, swap, factors);
  float unit = unitOf(maximum(largest((f3){a.x, b.x, c.x}), largest((f3){a.y, b.y, c.y})));
  a = shrink(a, unit), b = shrink(b, unit), c = shrink(c, unit);
  float u = edge(c, b), v = edge(a, c), w = edge(b, a);
  if (u == 0 || v == 0 || w == 0) {
    u = edgeExact(c, b);
    v = edgeExact(a, c);
    w = edgeExact(b, a);
  }
  float denominator = (u + v) + w;
  float distance = (u * a.z + v * b.z) + w * c.z;
  b1 outside = (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0);
  b1 front = denominator > 0; // and the triangle right of its edges
  b1 others = (u == 0 && isLeftward(b, c) != front) || (v == 0 && isLeftward(c, a) != front) ||
              (w == 0 && isLeftward(a, b) != front);
  b1 ahead = front ? distance >= 0 : distance <= 0;
  b1 hit = !outside && !others && ahead && denominator != 0 && isNumber(denominator);
  return hit ? (u4){bitsOf(distance), bitsOf(denominator), bitsOf(v), bitsOf(w)} : miss;
}

/// What the instruction gives, with the descriptor that lowering makes.
u4 kilnRayTest(u64 node, float extent, f3 origin, f3 direction, f3 inverse) {
  u32 type = node & nodeTypeMask;
  u64 address = (node & ~(u64)nodeTypeMask) << 3;
  u4 result = {nodeNone, nodeNone, nodeNone, nodeNone};
  if (type == nodeBox32)
    result = testBox(address, extent, origin, inverse);
  else if (type == nodeTriangle)
    result = testTriangle(address, origin, direction);
  return result;
}

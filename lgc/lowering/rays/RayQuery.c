//===- RayQuery.c - what ray queries do, as code of shaders ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The functions that operations on ray queries become (LowerRayQueries.cpp). The build compiles
/// this file for AMDGPU and puts the module into the library; lowering links it to shaders.
///
/// A query is memory of the shader: struct RayQuery, and a stack of ids beside it. Traversal goes
/// through boxes, children that are hit nearest first; an instance is a node of the upper
/// structure, whose own structure is traversed with the ray in its space, and left when the stack
/// is as it was. proceed() stops at each candidate that the shader decides about.
///
/// Rules: Vulkan, "Ray Traversal"; SPV_KHR_ray_query. Layout of structures:
/// AccelerationStructure.h. A structure that is not well formed neither traverses forever
/// (isUnending) nor overflows the stack.

typedef unsigned u32;
typedef unsigned long u64;
typedef float f3 __attribute__((ext_vector_type(3)));
typedef u32 u4 __attribute__((ext_vector_type(4)));
typedef _Bool b1;
/// As memory of the shader has them, aligned as dwords.
typedef u64 __attribute__((aligned(4))) u64m;
typedef f3 __attribute__((aligned(4))) f3m;
#define GLOBAL __attribute__((address_space(1)))
#define PRIVATE __attribute__((address_space(5)))

#define KILN_ACCEL(name, value) static const u32 name = value;
#include "lgc/AccelerationStructure.def"
#undef KILN_ACCEL
#define KILN_RAYS(name, value) static constexpr u32 name = value;
#include "lgc/lowering/rays/RayQuery.def"
#undef KILN_RAYS

/// SPIR-V "Ray Flags".
enum {
  flagOpaque = 0x1,
  flagNoOpaque = 0x2,
  flagTerminateOnFirstHit = 0x4,
  flagCullBackFacing = 0x10,
  flagCullFrontFacing = 0x20,
  flagCullOpaque = 0x40,
  flagCullNoOpaque = 0x80,
  flagSkipTriangles = 0x100,
  flagSkipAabbs = 0x200,
};

/// Types of intersections. Candidates are counted from 0 (SPIR-V "Ray Query Candidate Intersection
/// Type"), here from 1 as committed ones.
enum { hitNone, hitTriangle, hitGenerated };

struct Hit {
  u32 type; ///< of a candidate: hitTriangle, or hitGenerated for an AABB
  float t;
  u32 primitive, geometry;
  u64m instance; ///< address of the node
  u64m leaf;     ///< address of the node
  float weights[2];
  u32 front, opaque;
};

struct RayQuery {
  u64m root; ///< address of the structure / 8
  u32 flags, mask;
  f3m origin, direction;
  float tMin;
  u32 incomplete;
  struct Hit candidate, committed;
  f3m localOrigin, localDirection; ///< in the space of the current structure; about 1 in length
  float unit;                      ///< distances along it times this are those of the ray
  u64m base;                       ///< of the current structure
  u64m instance;                   ///< address of the current instance's node; 0: none
  u32 instanceFlags;               ///< instanceSbtOffset of it
  u32 next;                        ///< node to be tested, or nodeNone
  u32 top;                         ///< entries of the stack
  u32 mark;                        ///< of which this many belong to the upper structure
  u32 visited;
  u32 keptNode, keptInstance; ///< a node that was visited; low half of the instance that it was in
};
_Static_assert(sizeof(struct RayQuery) <= 4 * stateDwords, "");

typedef PRIVATE struct RayQuery *Query;
typedef PRIVATE u32 *Stack;

/// The test of a node by hardware, where there is one, else kilnRayTest.
u4 kilnRayTestHardware(u64 node, float extent, f3 origin, f3 direction, f3 inverse);

static float minimum(float a, float b) { return __builtin_fminf(a, b); }
static float maximum(float a, float b) { return __builtin_fmaxf(a, b); }
static u32 bitsOf(float value) { return __builtin_bit_cast(u32, value); }
static float floatOf(u32 bits) { return __builtin_bit_cast(float, bits); }
static b1 isNumber(float value) { return value == value; }
static f3 loadF3(u64 address) {
  GLOBAL const float *at = (GLOBAL const float *)address;
  return (f3){at[0], at[1], at[2]};
}
static u32 loadU32(u64 address) { return *(GLOBAL const u32 *)address; }
static u64 addressOf(u64 base, u32 node) {
  return (base << 3) + ((u64)(node & ~nodeTypeMask) << 3);
}

//===----------------------------------------------------------------------===//
// Tests of nodes, as the instructions of gfx10.3 and gfx11 do them
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Traversal
//===----------------------------------------------------------------------===//

static f3 inverseOf(f3 v) {
  return (f3){__builtin_amdgcn_rcpf(v.x), __builtin_amdgcn_rcpf(v.y), __builtin_amdgcn_rcpf(v.z)};
}

/// A row of a 3 x 4 matrix times (v, w).
static float row(u64 address, f3 v, float w) {
  GLOBAL const float *m = (GLOBAL const float *)address;
  float sum = __builtin_fmaf(v.z, m[2], w * m[3]);
  return __builtin_fmaf(v.x, m[0], __builtin_fmaf(v.y, m[1], sum));
}
static f3 transform(u64 matrix, f3 v, float w) {
  return (f3){row(matrix, v, w), row(matrix + 16, v, w), row(matrix + 32, v, w)};
}

/// The ray in the space of the current structure. Its direction is scaled: the inverse of one above
/// 2^126 is no normal number.
static void setLocalRay(Query q, f3 origin, f3 direction) {
  q->localOrigin = origin;
  q->unit = unitOf(largest(direction));
  q->localDirection = direction * q->unit;
}
/// Of a distance along the ray.
static float localDistance(Query q, float t) { return t * floatOf((254u << 23) - bitsOf(q->unit)); }

static void leaveInstance(Query q) {
  q->base = q->root;
  q->instance = 0;
  q->instanceFlags = 0;
  q->mark = nodeNone;
  setLocalRay(q, q->origin, q->direction);
}

static void enterInstance(Query q, u64 address) {
  u32 customAndMask = loadU32(address + instanceCustomIndex);
  u64 base = *(GLOBAL const u64 *)(address + instanceBase);
  // An instance within an instance is not well formed.
  if (q->mark != nodeNone || !(customAndMask >> 24 & q->mask) || base == 0)
    return;
  q->instance = address;
  q->instanceFlags = loadU32(address + instanceSbtOffset);
  q->base = base;
  q->mark = q->top;
  setLocalRay(q, transform(address + instanceWorldToObject, q->origin, 1),
              transform(address + instanceWorldToObject, q->direction, 0));
  q->next = rootId;
}

/// What is the same for all primitives: who it is, and if flags say that it is not there.
static b1 describe(Query q, u64 leaf, u32 type) {
  u32 primitive = loadU32(leaf + leafPrimitive), geometry = loadU32(leaf + leafGeometry);
  b1 opaque = (geometry | q->instanceFlags) >= opaqueThreshold;
  opaque = q->flags & flagOpaque ? 1 : q->flags & flagNoOpaque ? 0 : opaque;
  if (q->flags & (opaque ? flagCullOpaque : flagCullNoOpaque))
    return 0;
  q->candidate.type = type;
  q->candidate.primitive = primitive;
  q->candidate.geometry = geometry & geometryIndexMask;
  q->candidate.instance = q->instance;
  q->candidate.leaf = leaf;
  q->candidate.opaque = opaque;
  return 1;
}

static void commit(Query q, u32 type) {
  q->committed = q->candidate;
  q->committed.type = type;
  if (q->flags & flagTerminateOnFirstHit)
    q->incomplete = 0;
}

/// True: the shader decides about a candidate.
static b1 meetTriangle(Query q, u64 leaf, u4 result) {
  float denominator = floatOf(result.y), t = floatOf(result.x) / denominator * q->unit;
  if ((q->flags & flagSkipTriangles) || !(t > q->tMin && t < q->committed.t))
    return 0;
  b1 front = (denominator > 0) != ((q->instanceFlags & instanceFlipFacing) != 0);
  if (!(q->instanceFlags & instanceNoFacingCull) &&
      (q->flags & (front ? flagCullFrontFacing : flagCullBackFacing)))
    return 0;
  if (!describe(q, leaf, hitTriangle))
    return 0;
  q->candidate.t = t;
  q->candidate.weights[0] = floatOf(result.z) / denominator;
  q->candidate.weights[1] = floatOf(result.w) / denominator;
  q->candidate.front = front;
  if (!q->candidate.opaque)
    return 1;
  commit(q, hitTriangle);
  return 0;
}

static b1 meetAabb(Query q, u64 leaf, f3 inverse) {
  if (q->flags & flagSkipAabbs)
    return 0;
  struct Range range =
      clip(loadF3(leaf + aabbBounds), loadF3(leaf + aabbBounds + 12), q->localOrigin, inverse,
           localDistance(q, q->tMin), localDistance(q, q->committed.t));
  if (!isNumber(range.entry))
    return 0;
  return describe(q, leaf, hitGenerated);
}

/// The nearest child is next.
static void enterChildren(Query q, Stack stack, u4 children) {
  q->next = children.x;
#define PUSH(child)                                                                                \
  if (child != nodeNone && q->top < stackDwords)                                                   \
    stack[q->top++] = child;
  PUSH(children.w)
  PUSH(children.z)
  PUSH(children.y)
}

/// False: there is no further node.
static b1 findNext(Query q, Stack stack) {
  if (q->next != nodeNone)
    return 1;
  if (q->top == q->mark)
    leaveInstance(q);
  if (q->top == 0)
    return 0;
  q->next = stack[--q->top];
  return 1;
}

/// Counts a node. A ray comes to none twice in the same instance, but in a structure with a cycle:
/// of nodes that are kept, a later one each time, one is in it (Brent).
static b1 isUnending(Query q) {
  u32 visit = q->visited++, instance = (u32)q->instance;
  if (q->next == q->keptNode && instance == q->keptInstance)
    return 1;
  if ((visit & (visit - 1)) == 0) {
    q->keptNode = q->next;
    q->keptInstance = instance;
  }
  return visit >= maxNodes;
}

b1 kilnRayProceed(Query q, Stack stack) {
  while (q->incomplete) {
    if (!findNext(q, stack) || isUnending(q)) {
      q->incomplete = 0;
      break;
    }
    u32 node = q->next;
    u64 address = addressOf(q->base, node);
    f3 inverse = inverseOf(q->localDirection);
    u4 result = kilnRayTestHardware(q->base + node, localDistance(q, q->committed.t),
                                    q->localOrigin, q->localDirection, inverse);
    u32 type = node & nodeTypeMask;
    q->next = nodeNone;
    b1 isCandidate = 0;
    if (type == nodeBox32)
      enterChildren(q, stack, result);
    else if (type == nodeTriangle)
      isCandidate = meetTriangle(q, address, result);
    else if (type == nodeInstance)
      enterInstance(q, address);
    else if (type == nodeAabb)
      isCandidate = meetAabb(q, address, inverse);
    if (isCandidate)
      return 1;
  }
  return 0;
}

void kilnRayInitialize(Query q, u64 structure, u32 flags, u32 mask, f3 origin, float tMin,
                       f3 direction, float tMax) {
  q->root = structure >> 3;
  q->flags = flags;
  q->mask = mask & 0xFF;
  q->origin = origin;
  q->direction = direction;
  q->tMin = tMin;
  // What no ray is finds nothing. Getters find no candidate then, but read what is there.
  b1 isRay = structure != 0 && tMin >= 0 && tMin <= tMax &&
             isNumber(origin.x + origin.y + origin.z) &&
             isNumber(direction.x + direction.y + direction.z);
  q->incomplete = isRay;
  q->candidate = (struct Hit){0};
  q->committed = (struct Hit){0};
  q->committed.t = tMax;
  q->next = rootId;
  q->top = 0;
  q->visited = 0;
  q->keptNode = nodeNone;
  leaveInstance(q);
}

void kilnRayTerminate(Query q) { q->incomplete = 0; }

void kilnRayConfirm(Query q) {
  if (q->candidate.type == hitTriangle)
    commit(q, hitTriangle);
}

void kilnRayGenerate(Query q, float t) {
  if (q->candidate.type != hitGenerated || !(t >= q->tMin && t <= q->committed.t))
    return;
  q->candidate.t = t;
  commit(q, hitGenerated);
}

//===----------------------------------------------------------------------===//
// Questions. `committed`: of that intersection instead of the candidate
//===----------------------------------------------------------------------===//

static PRIVATE struct Hit *hitOf(Query q, b1 committed) {
  return committed ? &q->committed : &q->candidate;
}
/// Of a node that may not be there: 0.
static u32 loadIf(u64 address, u32 offset) { return address ? loadU32(address + offset) : 0; }

u32 kilnRayType(Query q, b1 committed) {
  return committed ? q->committed.type : q->candidate.type - hitTriangle;
}
float kilnRayT(Query q, b1 committed) { return hitOf(q, committed)->t; }
u32 kilnRayPrimitive(Query q, b1 committed) { return hitOf(q, committed)->primitive; }
u32 kilnRayGeometry(Query q, b1 committed) { return hitOf(q, committed)->geometry; }
u32 kilnRayCustomIndex(Query q, b1 committed) {
  return loadIf(hitOf(q, committed)->instance, instanceCustomIndex) & 0xFFFFFF;
}
u32 kilnRayInstance(Query q, b1 committed) {
  return loadIf(hitOf(q, committed)->instance, instanceIndex);
}
u32 kilnRaySbtOffset(Query q, b1 committed) {
  return loadIf(hitOf(q, committed)->instance, instanceSbtOffset) & 0xFFFFFF;
}
float kilnRayWeight(Query q, b1 committed, u32 index) {
  return hitOf(q, committed)->weights[index];
}
u32 kilnRayFront(Query q, b1 committed) { return hitOf(q, committed)->front; }
u32 kilnRayOpaqueAabb(Query q) { return q->candidate.opaque; }
/// Element \p row of column \p column of the matrix at \p offset in the instance.
float kilnRayMatrix(Query q, b1 committed, u32 offset, u32 row, u32 column) {
  return floatOf(loadIf(hitOf(q, committed)->instance, offset + 16 * row + 4 * column));
}
float kilnRayPosition(Query q, b1 committed, u32 vertex, u32 component) {
  return floatOf(loadIf(hitOf(q, committed)->leaf, triangleVertices + 12 * vertex + 4 * component));
}
/// The ray in the space of the instance.
f3 kilnRayObjectOrigin(Query q, b1 committed) {
  u64 instance = hitOf(q, committed)->instance;
  return instance ? transform(instance + instanceWorldToObject, q->origin, 1) : q->origin;
}
f3 kilnRayObjectDirection(Query q, b1 committed) {
  u64 instance = hitOf(q, committed)->instance;
  return instance ? transform(instance + instanceWorldToObject, q->direction, 0) : q->direction;
}
f3 kilnRayOrigin(Query q) { return q->origin; }
f3 kilnRayDirection(Query q) { return q->direction; }
float kilnRayTMin(Query q) { return q->tMin; }
u32 kilnRayFlags(Query q) { return q->flags; }

//===- RayQuery.c - what ray queries do, as code of shaders ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The functions that operations on ray queries become (LowerRayQueries.cpp). The build compiles
/// this file for AMDGPU, once for each kind of structures (KILN_RAYS_WIDE: those of gfx12), and
/// puts the modules into the library; lowering links one to shaders.
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

enum { isWide = KILN_RAYS_WIDE };
/// What image_bvh8_intersect_ray gives: ten words, and a ray in an instance. A vector, since memory
/// would be left to those who inline this.
typedef u32 WideResult __attribute__((ext_vector_type(16)));
enum { resultOrigin = 10, resultDirection = 13 };
WideResult kilnRayTestWide(u64 base, float extent, u32 mask, f3 origin, f3 direction, u32 node);

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
  u32 mask = isWide ? wideTypeMask : nodeTypeMask;
  return (base << 3) + ((u64)(node & ~mask) << 3);
}

#include "lgc/lowering/rays/RayNodes.c"

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

/// A primitive as its node has it; \p geometry: | geometryOpaque.
struct Primitive {
  u64 leaf;
  u32 index, geometry;
};
static struct Primitive primitiveAt(u64 leaf) {
  return (struct Primitive){leaf, loadU32(leaf + leafPrimitive), loadU32(leaf + leafGeometry)};
}

/// What is the same for all primitives: who it is, and if flags say that it is not there.
static b1 describe(Query q, struct Primitive primitive, u32 type) {
  u32 geometry = primitive.geometry;
  b1 opaque = (geometry | q->instanceFlags) >= opaqueThreshold;
  opaque = q->flags & flagOpaque ? 1 : q->flags & flagNoOpaque ? 0 : opaque;
  if (q->flags & (opaque ? flagCullOpaque : flagCullNoOpaque))
    return 0;
  q->candidate.type = type;
  q->candidate.primitive = primitive.index;
  q->candidate.geometry = geometry & geometryIndexMask;
  q->candidate.instance = q->instance;
  q->candidate.leaf = primitive.leaf;
  q->candidate.opaque = opaque;
  return 1;
}

static void commit(Query q, u32 type) {
  q->committed = q->candidate;
  q->committed.type = type;
  if (q->flags & flagTerminateOnFirstHit)
    q->incomplete = 0;
}

/// Is a triangle there at this distance? \p front: as the instance makes it.
static b1 isTriangleMet(Query q, float t, b1 front) {
  if ((q->flags & flagSkipTriangles) || !(t > q->tMin && t < q->committed.t))
    return 0;
  return (q->instanceFlags & instanceNoFacingCull) ||
         !(q->flags & (front ? flagCullFrontFacing : flagCullBackFacing));
}
static b1 isFlipped(Query q) { return (q->instanceFlags & instanceFlipFacing) != 0; }

/// Of one that is met. True: the shader decides about a candidate.
static b1 takeTriangle(Query q, struct Primitive primitive, float t, float i, float j, b1 front) {
  if (!describe(q, primitive, hitTriangle))
    return 0;
  q->candidate.t = t;
  q->candidate.weights[0] = i;
  q->candidate.weights[1] = j;
  q->candidate.front = front;
  if (!q->candidate.opaque)
    return 1;
  commit(q, hitTriangle);
  return 0;
}

static b1 isAabbMet(Query q, f3 low, f3 high, f3 inverse) {
  struct Range range = clip(low, high, q->localOrigin, inverse, localDistance(q, q->tMin),
                            localDistance(q, q->committed.t));
  return !(q->flags & flagSkipAabbs) && isNumber(range.entry);
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
  if (visit < uncheckedNodes)
    return 0;
  if (q->next == q->keptNode && instance == q->keptInstance)
    return 1;
  if ((visit & (visit - 1)) == 0) {
    q->keptNode = q->next;
    q->keptInstance = instance;
  }
  return visit >= maxNodes;
}

/// Tests the next node. True: the shader decides about a candidate.
static b1 visit(Query q, Stack stack) {
  u32 node = q->next, type = node & nodeTypeMask;
  u64 address = addressOf(q->base, node);
  f3 inverse = inverseOf(q->localDirection);
  u4 result = kilnRayTestHardware(q->base + node, localDistance(q, q->committed.t), q->localOrigin,
                                  q->localDirection, inverse);
  q->next = nodeNone;
  if (type == nodeBox32) {
    enterChildren(q, stack, result);
  } else if (type == nodeTriangle) {
    float denominator = floatOf(result.y), t = floatOf(result.x) / denominator * q->unit;
    b1 front = (denominator > 0) != isFlipped(q);
    return isTriangleMet(q, t, front) &&
           takeTriangle(q, primitiveAt(address), t, floatOf(result.z) / denominator,
                        floatOf(result.w) / denominator, front);
  } else if (type == nodeInstance) {
    enterInstance(q, address);
  } else if (type == nodeAabb) {
    return isAabbMet(q, loadF3(address + aabbBounds), loadF3(address + aabbBounds + 12), inverse) &&
           describe(q, primitiveAt(address), hitGenerated);
  }
  return 0;
}

#include "lgc/lowering/rays/WideNodes.c"

/// With a copy of the query, which the build's compiler has in registers: who inlines this finds
/// values and a few loads and stores, not a memory of many parts to take apart.
b1 kilnRayProceed(Query query, Stack stack) {
  if (!query->incomplete)
    return 0;
  struct RayQuery copy = *query;
  Query q = (Query)&copy;
  b1 isCandidate = 0;
  do {
    if (!findNext(q, stack) || isUnending(q)) {
      q->incomplete = 0;
      break;
    }
    isCandidate = isWide ? visitWide(q, stack) : visit(q, stack);
  } while (!isCandidate && q->incomplete);
  *query = copy;
  return isCandidate;
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
/// Of an instance; its word is at another place in a wide structure.
static u32 instanceWord(Query q, b1 committed, u32 offset, u32 wideOffset) {
  return loadIf(hitOf(q, committed)->instance, isWide ? wideOffset : offset);
}
static u64 matrixToObject(u64 instance) {
  return instance + (isWide ? wideInstanceWorldToObject : instanceWorldToObject);
}

u32 kilnRayType(Query q, b1 committed) {
  return committed ? q->committed.type : q->candidate.type - hitTriangle;
}
float kilnRayT(Query q, b1 committed) { return hitOf(q, committed)->t; }
u32 kilnRayPrimitive(Query q, b1 committed) { return hitOf(q, committed)->primitive; }
u32 kilnRayGeometry(Query q, b1 committed) { return hitOf(q, committed)->geometry; }
u32 kilnRayCustomIndex(Query q, b1 committed) {
  return instanceWord(q, committed, instanceCustomIndex, wideInstanceCustomIndex) & 0xFFFFFF;
}
u32 kilnRayInstance(Query q, b1 committed) {
  return instanceWord(q, committed, instanceIndex, wideInstanceIndex);
}
u32 kilnRaySbtOffset(Query q, b1 committed) {
  return instanceWord(q, committed, instanceSbtOffset, wideInstanceFlags) & 0xFFFFFF;
}
float kilnRayWeight(Query q, b1 committed, u32 index) {
  return hitOf(q, committed)->weights[index];
}
u32 kilnRayFront(Query q, b1 committed) { return hitOf(q, committed)->front; }
u32 kilnRayOpaqueAabb(Query q) { return q->candidate.opaque; }
/// Element \p row of column \p column of a matrix of the instance.
float kilnRayMatrix(Query q, b1 committed, b1 toWorld, u32 row, u32 column) {
  u32 narrow = toWorld ? instanceObjectToWorld : instanceWorldToObject;
  u32 wide = toWorld ? wideInstanceObjectToWorld : wideInstanceWorldToObject;
  u32 at = 16 * row + 4 * column;
  return floatOf(instanceWord(q, committed, narrow + at, wide + at));
}
float kilnRayPosition(Query q, b1 committed, u32 vertex, u32 component) {
  u64 leaf = hitOf(q, committed)->leaf;
  if (isWide)
    return leaf ? wideFloat(leaf, 3 * vertex + component) : 0;
  return floatOf(loadIf(leaf, triangleVertices + 12 * vertex + 4 * component));
}
/// The ray in the space of the instance.
f3 kilnRayObjectOrigin(Query q, b1 committed) {
  u64 instance = hitOf(q, committed)->instance;
  return instance ? transform(matrixToObject(instance), q->origin, 1) : q->origin;
}
f3 kilnRayObjectDirection(Query q, b1 committed) {
  u64 instance = hitOf(q, committed)->instance;
  return instance ? transform(matrixToObject(instance), q->direction, 0) : q->direction;
}
f3 kilnRayOrigin(Query q) { return q->origin; }
f3 kilnRayDirection(Query q) { return q->direction; }
float kilnRayTMin(Query q) { return q->tMin; }
u32 kilnRayFlags(Query q) { return q->flags; }

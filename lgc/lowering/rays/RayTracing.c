//===- RayTracing.c - what pipelines do with rays, as code of shaders -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Tracing of ray tracing pipelines (LowerRayTracing.cpp): a ray query whose candidates any-hit and
/// intersection shaders decide about, and the shader for what comes out. Compiled and linked
/// together with RayQuery.c.
///
/// Rules: Vulkan, "Ray Traversal" and "Shader Binding Table"; SPV_KHR_ray_tracing. Layout of
/// tables: RayLaunch.h.
#include "lgc/lowering/rays/RayQuery.c"

#define KILN_LAUNCH(name, value) static const u32 name = value;
#include "lgc/RayLaunch.def"
#undef KILN_LAUNCH

enum { flagSkipClosestHit = 0x8 };
enum { kindFrontFacing = 0xFE, kindBackFacing = 0xFF };
/// lgc::RayEnd
enum { endNone, endIgnore, endTerminate };

/// Memory of a ray.
struct Trace {
  struct RayQuery query;
  u32 padding[stateDwords - sizeof(struct RayQuery) / 4];
  u32 attributes[attributeDwords];          ///< of the candidate
  u32 committedAttributes[attributeDwords]; ///< of the committed intersection
  u64m launch;                              ///< address of the launch block
  u64m record;                              ///< address of the current hit group's; 0: none
  u32 flags;                                ///< as they were given
  u32 sbtOffset, sbtStride;
  u32 kind;          ///< of what a shader is called for
  u32 committedKind; ///< of a committed intersection that is no triangle
  u32 depth;         ///< 1: traced by a ray generation shader
};
_Static_assert(sizeof(struct Trace) <= 4 * traceDwords, "");
_Static_assert(__builtin_offsetof(struct Trace, attributes) == traceAttributes, "");
_Static_assert(__builtin_offsetof(struct Trace, committedAttributes) == traceCommittedAttributes,
               "");

typedef PRIVATE struct Trace *Trace;
typedef PRIVATE u32 *Payload;

// The shader with this id, if there is one; lowering defines them. The first returns how it ended.
#define CONVERGENT __attribute__((convergent))
CONVERGENT u32 kilnRayCallAnyHit(u32 id, Trace t, Payload payload, u64 record);
CONVERGENT void kilnRayCallIntersection(u32 id, Trace t, Payload payload, u64 record);
CONVERGENT void kilnRayCallClosestHit(u32 id, Trace t, Payload payload, u64 record);
CONVERGENT void kilnRayCallMiss(u32 id, Trace t, Payload payload, u64 record);
CONVERGENT void kilnRayCallCallable(u32 id, Trace t, Payload payload, u64 record);

static u64 loadU64(u64 address) { return *(GLOBAL const u64 *)address; }

/// Address of a record of a table; 0: the table does not have it.
static u64 recordOf(u64 launch, u32 table, u32 index) {
  u64 offset = (u64)index * loadU32(launch + table + tableStride);
  u32 size = loadU32(launch + table + tableSize);
  return offset + recordData <= size ? loadU64(launch + table + tableAddress) + offset : 0;
}

static u32 shaderOf(u64 record, u32 which) { return record ? loadU32(record + which) : 0; }

static u64 hitRecordOf(Trace t, b1 committed) {
  Query q = &t->query;
  return recordOf(t->launch, launchHit,
                  t->sbtOffset + kilnRayGeometry(q, committed) * t->sbtStride +
                      kilnRaySbtOffset(q, committed));
}

static void setWeights(PRIVATE u32 *attributes, PRIVATE const struct Hit *hit) {
  attributes[0] = bitsOf(hit->weights[0]);
  attributes[1] = bitsOf(hit->weights[1]);
}
static u32 kindOf(PRIVATE const struct Hit *hit) {
  return hit->front ? kindFrontFacing : kindBackFacing;
}

/// How the any-hit shader of the candidate has ended.
static u32 callAnyHit(Trace t, Payload payload) {
  u32 id = shaderOf(t->record, recordAnyHit);
  return id ? kilnRayCallAnyHit(id, t, payload, t->record) : endNone;
}

static void meetCandidate(Trace t, Payload payload) {
  Query q = &t->query;
  t->record = hitRecordOf(t, 0);
  if (q->candidate.type != hitTriangle) {
    kilnRayCallIntersection(shaderOf(t->record, recordIntersection), t, payload, t->record);
    return;
  }
  t->kind = kindOf(&q->candidate);
  setWeights(t->attributes, &q->candidate);
  u32 end = callAnyHit(t, payload);
  if (end == endIgnore)
    return;
  commit(q, hitTriangle);
  if (end == endTerminate)
    q->incomplete = 0;
}

/// OpReportIntersectionKHR: 0 rejected, 1 accepted, 2 accepted and the shader is to end.
u32 kilnRayReport(Trace t, Payload payload, float distance, u32 kind) {
  Query q = &t->query;
  if (!(distance >= q->tMin && distance <= q->committed.t))
    return 0;
  q->candidate.t = distance;
  t->kind = kind;
  u32 end = q->candidate.opaque ? endNone : callAnyHit(t, payload);
  if (end == endIgnore)
    return 0;
  commit(q, hitGenerated);
  t->committedKind = kind;
  for (u32 i = 0; i < attributeDwords; ++i)
    t->committedAttributes[i] = t->attributes[i];
  if (end == endTerminate)
    q->incomplete = 0;
  return q->incomplete ? 1 : 2;
}

static void finish(Trace t, Payload payload, u32 missIndex) {
  Query q = &t->query;
  if (q->committed.type == hitNone) {
    u64 record = recordOf(t->launch, launchMiss, missIndex);
    kilnRayCallMiss(shaderOf(record, recordGeneral), t, payload, record);
    return;
  }
  if (t->flags & flagSkipClosestHit)
    return;
  t->record = hitRecordOf(t, 1);
  t->kind = t->committedKind;
  if (q->committed.type == hitTriangle) {
    t->kind = kindOf(&q->committed);
    setWeights(t->committedAttributes, &q->committed);
  }
  kilnRayCallClosestHit(shaderOf(t->record, recordGeneral), t, payload, t->record);
}

/// OpTraceRayKHR. \p addedFlags are those of the pipeline.
void kilnRayTrace(Trace t, Stack stack, u64 launch, u32 addedFlags, u32 depth, u64 structure,
                  u32 flags, u32 mask, u32 sbtOffset, u32 sbtStride, u32 missIndex, f3 origin,
                  float tMin, f3 direction, float tMax, Payload payload) {
  Query q = &t->query;
  kilnRayInitialize(q, structure, flags | addedFlags, mask, origin, tMin, direction, tMax);
  t->launch = launch;
  t->depth = depth;
  t->flags = flags;
  t->sbtOffset = sbtOffset & 0xF;
  t->sbtStride = sbtStride & 0xF;
  while (kilnRayProceed(q, stack))
    meetCandidate(t, payload);
  finish(t, payload, missIndex & 0xFFFF);
}

/// OpExecuteCallableKHR.
void kilnRayExecute(u64 launch, u32 index, Payload data) {
  u64 record = recordOf(launch, launchCallable, index);
  kilnRayCallCallable(shaderOf(record, recordGeneral), (Trace)0, data, record);
}

u32 kilnRayHitKind(Trace t) { return t->kind; }
u32 kilnRayGivenFlags(Trace t) { return t->flags; }
u32 kilnRayMask(Trace t) { return t->query.mask; }
u32 kilnRayDepth(Trace t) { return t->depth; }

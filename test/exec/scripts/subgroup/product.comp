// SPDX-License-Identifier: MIT
// Products of every type against a loop over workgroup memory, with all invocations
// and with some of them in divergent code. Values are small, so that sums are exact in any order.
//! requires shaderSubgroupExtendedTypes shaderInt8 shaderInt16 shaderInt64 shaderFloat16 shaderFloat64
//! subgroup 0 32 64
//! foreach T int uint float double float16_t int64_t int16_t uint8_t
//! buffer 0.0 u32 : 0*64
//! expect 0.0 u32 : 0*64
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_int8 : require
#extension GL_EXT_shader_subgroup_extended_types_int16 : require
#extension GL_EXT_shader_subgroup_extended_types_int64 : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint wrong[]; };
shared T values[64];
shared bool present[64];
#define COMBINE_Add(x, y) ((x) + (y))
#define COMBINE_Mul(x, y) ((x) * (y))
#define COMBINE_Min(x, y) min(x, y)
#define COMBINE_Max(x, y) max(x, y)
#define COMBINE_And(x, y) ((x) & (y))
#define COMBINE_Or(x, y) ((x) | (y))
#define COMBINE_Xor(x, y) ((x) ^ (y))
#define CAT(a, b) a##b
// Invocations first <= k < last of this subgroup that are present.
#define LOOP(OP, first, last, result) { bool any_ = false; for (uint k = first; k < last; ++k) if (present[k]) { result = any_ ? CAT(COMBINE_, OP)(result, values[k]) : values[k]; any_ = true; } }
#define CHECK(OP, bit) { \
  T r = T(0); LOOP(OP, start, start + gl_SubgroupSize, r) \
  if (CAT(subgroup, OP)(v) != r) bad |= 1u << bit; \
  r = T(0); LOOP(OP, start, i + 1, r) \
  if (CAT(subgroupInclusive, OP)(v) != r) bad |= 2u << bit; \
  r = T(0); bool isFirst = true; for (uint k = start; k < i; ++k) if (present[k]) isFirst = false; \
  LOOP(OP, start, i, r) T e = CAT(subgroupExclusive, OP)(v); \
  if (!isFirst && e != r) bad |= 4u << bit; \
  r = T(0); LOOP(OP, i & ~3u, (i & ~3u) + 4, r) \
  if (CAT(subgroupClustered, OP)(v, 4) != r) bad |= 8u << bit; \
  if (gl_SubgroupSize >= 8) { /* larger clusters than subgroups are undefined */ \
    r = T(0); LOOP(OP, i & ~7u, (i & ~7u) + 8, r) \
    if (CAT(subgroupClustered, OP)(v, 8) != r) bad |= 16u << bit; } }
void main() {
  uint i = gl_LocalInvocationIndex, start = i - gl_SubgroupInvocationID, bad = 0;
  T v = T((i * 7 + 3) % 3) + T(1) - T(((i * 7 + 3) % 3) / 2 * 2);
  if (i % 5 == 2) v = T(1);
  values[i] = v;
  present[i] = true;
  barrier();
  CHECK(Mul, 0)
  barrier();
  present[i] = i % 3 != 1 && i != 20;
  barrier();
  if (i % 3 != 1 && i != 20) {
  CHECK(Mul, 0)
  }
  wrong[i] = bad;
}

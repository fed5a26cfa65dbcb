//===- BvhNode.cpp - tests of rays against nodes of hierarchies ------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/image/BvhParts.h"
#include "pal_shim/formats/Formats.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace pal::device {

using namespace bvh;

namespace {

/// The number, if only one is.
float least(float a, float b) { return std::isnan(a) || b < a ? b : a; }
float greatest(float a, float b) { return std::isnan(a) || b > a ? b : a; }

/// Minimum x y z, maximum x y z of a child.
std::array<float, 6> childBounds(const uint8_t *node, BvhNodeType type, unsigned child) {
  std::array<float, 6> bounds;
  for (unsigned i = 0; i < 6; ++i)
    bounds[i] = type == BvhNodeType::Box32
                    ? read<float>(node, 16 + 24 * child + 4 * i)
                    : formats::halfToFloat(read<uint16_t>(node, 16 + 12 * child + 2 * i));
  return bounds;
}

float sortKey(float near, float far, float entry, float exit, unsigned heuristic) {
  if (heuristic == 1)
    return entry - exit;
  if (heuristic == 2)
    return (std::isnan(near) ? 0 : near) + (std::isnan(far) ? infinity : far);
  return entry;
}

} // namespace

BvhSlot bvh::testChild(const std::array<float, 6> &bounds, uint32_t id, const BvhRay &ray,
                       const BvhResource &resource) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  float near = nan, far = nan;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const bool forward = ray.inverse[axis] >= 0;
    const float low = (bounds[axis] - ray.origin[axis]) * ray.inverse[axis];
    const float high = (bounds[axis + 3] - ray.origin[axis]) * ray.inverse[axis];
    near = greatest(near, forward ? low : high);
    far = least(far, forward ? high : low);
  }
  const float entry = greatest(near, 0), exit = least(far, ray.extent);
  if (std::isnan(near) || std::isnan(far) ||
      !(entry <= exit * (1.0f + float(resource.grow) * 0x1p-24f)))
    return {};
  return {id, sortKey(near, far, entry, exit, resource.heuristic)};
}

bool bvh::isCulled(uint8_t childFlags, uint32_t flags) {
  using F = BvhPointerFlags;
  const bool forced = flags & F::ForceOpaque, forcedNon = flags & F::ForceNonOpaque;
  const bool onlyOpaque = forced || (!forcedNon && (childFlags & 1));
  const bool onlyNonOpaque = !forced && (forcedNon || (childFlags & 2));
  return (onlyOpaque && (flags & F::CullOpaque)) || (onlyNonOpaque && (flags & F::CullNonOpaque)) ||
         ((childFlags & 4) && (flags & F::SkipTriangles)) ||
         ((childFlags & 8) && (flags & F::SkipProcedural));
}

namespace {

void sortSlots(std::array<BvhSlot, 4> &slots) {
  constexpr std::pair<uint8_t, uint8_t> exchanges[] = {{0, 2}, {1, 3}, {0, 1}, {2, 3}, {1, 2}};
  for (auto [first, second] : exchanges) {
    BvhSlot &a = slots[first], &b = slots[second];
    if (a.id == noNode || (b.id != noNode && b.key < a.key))
      std::swap(a, b);
  }
}

BvhVertex readVertex(const uint8_t *node, unsigned index) {
  return {read<float>(node, 12 * index), read<float>(node, 12 * index + 4),
          read<float>(node, 12 * index + 8)};
}

/// A power of two not far from the inverse of what the largest of these is.
float unitOf(const float (&x)[3], const float (&y)[3]) {
  float largest = 0;
  for (unsigned i = 0; i < 3; ++i)
    largest = std::max({largest, std::fabs(x[i]), std::fabs(y[i])});
  return std::bit_cast<float>(
      (254u << 23) -
      std::clamp(std::bit_cast<uint32_t>(largest) & 0x7F800000, 1u << 23, 253u << 23));
}

} // namespace

BvhTriangleHit bvh::testTriangle(const BvhVertex (&vertices)[3], const BvhRay &ray) {
  // The axis along which the direction is longest becomes z.
  const float *d = ray.direction;
  unsigned z = std::fabs(d[0]) > std::fabs(d[1]) ? 0 : 1;
  if (!(std::fabs(d[z]) > std::fabs(d[2])))
    z = 2;
  unsigned x = (z + 1) % 3, y = (z + 2) % 3;
  if (d[z] < 0)
    std::swap(x, y); // keeps the winding
  const float shearX = d[x] / d[z], shearY = d[y] / d[z], scale = 1.0f / d[z];
  float px[3], py[3], pz[3];
  for (unsigned i = 0; i < 3; ++i) {
    const float depth = vertices[i][z] - ray.origin[z];
    px[i] = (vertices[i][x] - ray.origin[x]) - shearX * depth;
    py[i] = (vertices[i][y] - ray.origin[y]) - shearY * depth;
    pz[i] = scale * depth;
  }
  const float unit = unitOf(px, py);
  for (unsigned i = 0; i < 3; ++i)
    px[i] *= unit, py[i] *= unit;
  auto edge = [&](unsigned a, unsigned b) { return px[a] * py[b] - py[a] * px[b]; };
  float u = edge(2, 1), v = edge(0, 2), w = edge(1, 0);
  if (u == 0 || v == 0 || w == 0) {
    auto exact = [&](unsigned a, unsigned b) {
      return float(double(px[a]) * double(py[b]) - double(py[a]) * double(px[b]));
    };
    u = exact(2, 1), v = exact(0, 2), w = exact(1, 0);
  }
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0))
    return {};
  BvhTriangleHit hit;
  hit.denominator = (u + v) + w;
  // Of triangles around an edge, or a vertex, one is hit there (docs/hw-notes.md#ray-tracing).
  auto isOthers = [&](unsigned from, unsigned to) {
    const bool leftward = px[to] < px[from] || (px[to] == px[from] && py[to] < py[from]);
    return leftward != (hit.denominator > 0);
  };
  if ((u == 0 && isOthers(1, 2)) || (v == 0 && isOthers(2, 0)) || (w == 0 && isOthers(0, 1)))
    return {};
  hit.weights[0] = u, hit.weights[1] = v, hit.weights[2] = w;
  hit.distance = (u * pz[0] + v * pz[1]) + w * pz[2];
  // Behind the origin.
  if (!(hit.denominator > 0 ? hit.distance >= 0 : hit.distance <= 0))
    hit.denominator = 0;
  return hit;
}

bool bvh::isTriangleCulled(uint32_t bits, bool front, uint32_t flags) {
  using F = BvhPointerFlags;
  const bool opaque = (flags & F::ForceOpaque) || ((bits & 0x80) && !(flags & F::ForceNonOpaque));
  const bool facing = !(flags & F::NoFacingCull) && !(bits & 0x10);
  return (flags & F::SkipTriangles && !(bits & 0x40)) ||
         (flags & F::SkipProcedural && (bits & 0x40)) || (flags & F::CullOpaque && opaque) ||
         (flags & F::CullNonOpaque && !opaque) || (facing && front && (flags & F::CullFront)) ||
         (facing && !front && (flags & F::CullBack));
}

bool bvh::isHit(const BvhTriangleHit &hit) {
  return hit.denominator != 0 && !std::isnan(hit.denominator) && !std::isnan(hit.distance);
}

void bvh::flip(BvhTriangleHit &hit) {
  hit.distance = -hit.distance, hit.denominator = -hit.denominator;
  for (float &weight : hit.weights)
    weight = -weight;
}

BvhResult intersectBox(const uint8_t *node, BvhNodeType type, const BvhRay &ray,
                       const BvhResource &resource, uint32_t flags) {
  const uint32_t childFlags =
      resource.pointerFlags && type == BvhNodeType::Box32 ? read<uint32_t>(node, 112) : 0;
  std::array<BvhSlot, 4> slots;
  for (unsigned child = 0; child < 4; ++child) {
    if (resource.pointerFlags && isCulled(uint8_t(childFlags >> (8 * child)), flags))
      continue;
    slots[child] =
        testChild(childBounds(node, type, child), read<uint32_t>(node, 4 * child), ray, resource);
  }
  if (resource.sort)
    sortSlots(slots);
  return {slots[0].id, slots[1].id, slots[2].id, slots[3].id};
}

BvhResult intersectTriangle(const uint8_t *node, BvhNodeType type, const BvhRay &ray,
                            const BvhResource &resource, uint32_t flags) {
  constexpr uint8_t order[2][3] = {{0, 1, 2}, {1, 3, 2}};
  const uint8_t (&corner)[3] = order[type == BvhNodeType::Triangle1];
  const uint32_t id = read<uint32_t>(node, 60);
  const uint32_t bits = id >> (type == BvhNodeType::Triangle1 ? 8 : 0) & 0xFF;
  const BvhVertex vertices[3] = {readVertex(node, corner[0]), readVertex(node, corner[1]),
                                 readVertex(node, corner[2])};
  const BvhResult miss = {std::bit_cast<uint32_t>(infinity), std::bit_cast<uint32_t>(1.0f), 0, 0};
  BvhTriangleHit hit = testTriangle(vertices, ray);
  if (!isHit(hit))
    return miss;
  const bool isFlipped = bits & 0x20;
  if (isFlipped != (resource.pointerFlags && (flags & BvhPointerFlags::FlipFacing)))
    flip(hit);
  if (resource.pointerFlags && isTriangleCulled(bits, hit.denominator > 0, flags))
    return miss;
  const unsigned i = bits & 3, j = bits >> 2 & 3;
  auto weight = [&](unsigned index) {
    return index < 3 ? std::bit_cast<uint32_t>(hit.weights[index]) : 0;
  };
  return {std::bit_cast<uint32_t>(hit.distance), std::bit_cast<uint32_t>(hit.denominator),
          resource.barycentrics ? weight(i) : id, resource.barycentrics ? weight(j) : 1};
}

} // namespace pal::device

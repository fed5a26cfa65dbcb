//===- BvhParts.h - what tests of all formats of nodes share ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/image/BvhNode.h"
#include <cstring>
#include <limits>

namespace pal::device::bvh {

inline constexpr uint32_t noNode = 0xFFFFFFFF;
inline constexpr float infinity = std::numeric_limits<float>::infinity();

template <class T> T read(const uint8_t *node, unsigned offset) {
  T value;
  std::memcpy(&value, node + offset, sizeof(T));
  return value;
}

/// A child of a box as the ray finds it; no id: missed.
struct BvhSlot {
  uint32_t id = noNode;
  float key = 0;
};

/// \p bounds: minimum x y z, maximum x y z.
BvhSlot testChild(const std::array<float, 6> &bounds, uint32_t id, const BvhRay &ray,
                  const BvhResource &resource);
/// Does everything in a child with this flag byte fall to the culling flags of the pointer?
bool isCulled(uint8_t childFlags, uint32_t flags);

using BvhVertex = std::array<float, 3>;

/// Numerators of distance and barycentrics, and their denominator; 0 or NaN: no intersection.
struct BvhTriangleHit {
  float distance = 0, denominator = 0;
  float weights[3] = {};
};

BvhTriangleHit testTriangle(const BvhVertex (&vertices)[3], const BvhRay &ray);
bool isHit(const BvhTriangleHit &hit);
/// As if seen from the other side.
void flip(BvhTriangleHit &hit);
/// Is the triangle culled? \p bits: as the byte of it in the last dword of a gfx11 node has them.
bool isTriangleCulled(uint32_t bits, bool front, uint32_t flags);

} // namespace pal::device::bvh

//===- Bvh8Node.h - tests of rays against gfx12's nodes --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What image_bvh8_intersect_ray does with one ray and one node of the compressed format, and with
/// instance nodes (docs/hw-notes.md#ray-tracing). All nodes are 128 bytes; types are the low four
/// bits of an offset: 0 to 3 and 8 to 11 pairs of triangles of a primitive node, 5 a box of eight
/// children, 6 an instance.
///
/// Box: planes are origin + q * 2^(e - 139), of maxima with q + 1. Ids of children are not stored,
/// but counted from two bases, of boxes and of all others, by ranges. The test of a child is that
/// of BvhNode.h.
#pragma once

#include "pal_shim/device/image/BvhNode.h"

namespace pal::device {

using Bvh8Result = std::array<uint32_t, 10>;

inline constexpr unsigned bvh8NodeBytes = 128;

/// \p mask: of the ray; children whose own has no bit of it are dropped.
Bvh8Result intersectBox8(const uint8_t *node, const BvhRay &ray, const BvhResource &resource,
                         uint32_t flags, uint8_t mask);
/// \p pair: number of the pair of triangles, below 8.
Bvh8Result intersectPrimitive(const uint8_t *node, unsigned pair, const BvhRay &ray,
                              const BvhResource &resource, uint32_t flags);
/// Transforms \p ray, unless the mask leaves the instance out.
Bvh8Result intersectInstance(const uint8_t *node, BvhRay &ray, const BvhResource &resource,
                             uint32_t flags, uint8_t mask);
/// Puts children that are hit first, in order; of eight, or of four and four.
void sortChildren8(std::array<uint32_t, 8> &ids, std::array<float, 8> &keys,
                   const BvhResource &resource);

} // namespace pal::device

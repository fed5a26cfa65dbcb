//===- BvhNode.h - tests of rays against nodes of hierarchies --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What image_bvh_intersect_ray does with one ray and one node, for gfx10.3 and gfx11
/// (docs/hw-notes.md#ray-tracing).
///
/// Box: relative planes times inverse direction; of the three axes the largest near and the
/// smallest far plane, where NaN of single axes drops out. A child is hit when max(near, 0) <=
/// min(far, extent) * (1 + grow * 2^-24). The ids of children that are hit come first, sorted by a
/// network of five exchanges.
///
/// Triangle: the watertight test of Woop, Benthin and Wald (JCGT 2013) in single precision, in
/// double where an edge function is 0. What hardware rounds is not documented. The result is
/// compared neither with the extent nor with a least distance.
#pragma once

#include <array>
#include <cstdint>

namespace pal::device {

/// T# of a hierarchy.
struct BvhResource {
  uint64_t base = 0;      ///< bytes
  uint64_t lastBlock = 0; ///< number of the last 64 bytes
  uint8_t grow = 0;       ///< in units of 2^-24 of the far plane
  uint8_t heuristic = 0;  ///< 0 closest, 1 largest interval, 2 closest midpoint
  bool sort = false;      ///< children that are hit come first, in order
  bool pointerFlags = false;
  bool barycentrics = false; ///< triangles return I and J, else their id and a status
  // gfx12
  bool trianglesFirst = false; ///< primitives before boxes, if sorted
  bool wideSort = false;       ///< of all eight children, else of four and four
  bool instances = false;      ///< nodes of type 6 are instances, else software's
  bool compressed = false;     ///< nodes of 128 bytes (Bvh8Node.h)
  bool highPrecision = false;  ///< boxes of type 4 are not of halves
};

struct BvhRay {
  float extent;
  float origin[3], direction[3], inverse[3];
};

/// Types of nodes, the low three bits of a pointer.
enum class BvhNodeType : uint8_t { Triangle0, Triangle1, Triangle2, Triangle3, Box16, Box32 };

/// Flags of a node's pointer, bits 63:54.
struct BvhPointerFlags {
  enum : uint32_t {
    ForceOpaque = 1,
    ForceNonOpaque = 2,
    NoFacingCull = 4,
    FlipFacing = 8,
    CullBack = 16,
    CullFront = 32,
    CullOpaque = 64,
    CullNonOpaque = 128,
    SkipTriangles = 256,
    SkipProcedural = 512,
  };
};

using BvhResult = std::array<uint32_t, 4>;

/// Bytes of memory that a node of this type is.
constexpr unsigned bvhNodeBytes(BvhNodeType type) { return type == BvhNodeType::Box32 ? 128 : 64; }

/// \p node: the memory of the box; \p flags: of the pointer.
BvhResult intersectBox(const uint8_t *node, BvhNodeType type, const BvhRay &ray,
                       const BvhResource &resource, uint32_t flags);
/// \p type: Triangle0 or Triangle1.
BvhResult intersectTriangle(const uint8_t *node, BvhNodeType type, const BvhRay &ray,
                            const BvhResource &resource, uint32_t flags);

} // namespace pal::device

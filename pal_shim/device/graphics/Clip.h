//===- Clip.h - clipping of homogeneous primitives -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Vulkan specification, "Primitive Clipping" and "Coordinate Transformations". Private to the
/// rasteriser. All in double precision, so that what two primitives share stays shared: where an
/// edge crosses a plane depends on its two ends only, not on their order.
#pragma once

#include "pal_shim/device/Draw.h"
#include "pal_shim/device/graphics/GeometryOutput.h"
#include "llvm/ADT/SmallVector.h"
#include <limits>

namespace pal::device {

struct ClipVertex {
  std::array<double, 4> position = {0, 0, 0, 1}; ///< clip space
  /// Weights of vertices 1 and 2 of the original primitive, linear in clip space.
  double i = 0, j = 0;
  std::array<double, 8> distances = {};
  bool isOriginal = true; ///< not made by clipping
  bool drawsEdge = true;  ///< the edge from here to the next vertex is drawn in line mode
};

/// A convex polygon.
using ClipPolygon = llvm::SmallVector<ClipVertex, 8>;

/// Clip space to framebuffer: position / w * scale + offset.
struct ViewportTransform {
  std::array<double, 3> scale = {}, offset = {};
  /// False for one that is not finite or too far out: nothing is drawn through it.
  bool isValid = false;

  ViewportTransform() = default;
  ViewportTransform(const Viewport &viewport, bool negativeOneToOne);
  /// \p w: of the position, not 0.
  std::array<double, 3> apply(const std::array<double, 4> &position, double w) const {
    std::array<double, 3> result;
    for (unsigned axis = 0; axis < 3; ++axis)
      result[axis] = position[axis] / w * scale[axis] + offset[axis];
    return result;
  }
};

/// Framebuffer coordinates that fixed-point numbers hold; further out, primitives are clipped.
inline constexpr double guardBand = 1 << 17;
/// What a viewport's edges must stay within.
inline constexpr double maxViewportBound = 1 << 16;

/// Smallest w that is divided by: what clipping leaves is not below it but for rounding.
inline constexpr double minW = std::numeric_limits<float>::min();

/// How x and y are clipped: at the view volume, or where a scissor at the viewport does the rest.
enum class ClipSides : uint8_t { ViewVolume, GuardBand };

class ClipVolume {
public:
  ClipVolume() = default;
  ClipVolume(const RasterState &state, const ViewportTransform &transform, uint8_t clipMask);

  /// Each of these: false if nothing is left.
  bool clipPolygon(ClipPolygon &polygon, ClipSides sides) const;
  bool clipLine(ClipVertex &a, ClipVertex &b) const; ///< at the guard band
  bool containsPoint(const ClipVertex &vertex) const;

private:
  struct Plane {
    std::array<double, 4> coefficients = {}; ///< inside: product with the position >= 0
    int distance = -1;                       ///< not negative: the clip distance instead
    double at(const ClipVertex &vertex) const;
  };
  bool isOutsideOneSide(const ClipPolygon &polygon) const;

  llvm::SmallVector<Plane, 2> depthPlanes;
  std::array<Plane, 4> viewSides, guardSides;
  llvm::SmallVector<Plane, 8> userPlanes;
};

} // namespace pal::device

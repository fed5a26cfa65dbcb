//===- RasterPlanes.h - what varies over a primitive -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The planes of a RasterPrimitive, from clip space. Private to the rasteriser.
#pragma once

#include "pal_shim/device/graphics/Clip.h"
#include "pal_shim/device/graphics/Raster.h"

namespace pal::device {

/// A vertex of a clipped primitive in the framebuffer.
struct ScreenVertex {
  double x = 0, y = 0, z = 0, inverseW = 1;
  double i = 0, j = 0;             ///< perspective weights, as in ClipVertex
  double linearI = 0, linearJ = 0; ///< weights that are linear in the framebuffer
};
using ScreenPolygon = llvm::SmallVector<ScreenVertex, 16>;

/// \p vertex as seen through \p transform; linear weights as the perspective ones. Not \p
/// isClipped: it may be beside or behind the viewer, where the result may be infinite.
ScreenVertex toScreen(const ClipVertex &vertex, const ViewportTransform &transform,
                      bool isClipped = true);

/// Sets all planes of \p primitive. \p original: the three vertices before clipping; \p polygon:
/// after. False if the triangle is seen from its side, so that there are no planes.
bool setTrianglePlanes(RasterPrimitive &primitive, llvm::ArrayRef<ClipVertex> original,
                       const ScreenPolygon &polygon, const ViewportTransform &transform);

/// Along the line (Vulkan "Basic Line Segment Rasterization"): by the projection of a fragment onto
/// it, or, with \p byMajorAxis, by the fragment's place along its longer axis.
void setLinePlanes(RasterPrimitive &primitive, const ScreenVertex &a, const ScreenVertex &b,
                   bool byMajorAxis);

/// The same values everywhere.
void setConstantPlanes(RasterPrimitive &primitive, const ScreenVertex &vertex);

/// Depth bias of a polygon (Vulkan "Depth Bias") whose depth is \p depth and whose vertices have
/// depths up to \p maxDepth in magnitude.
double depthBias(const RasterState &state, formats::Format depthFormat, const Plane &depth,
                 double maxDepth);

} // namespace pal::device

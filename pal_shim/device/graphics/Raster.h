//===- Raster.h - primitives to quads --------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Clipping, culling, viewport transform, polygon modes, rasterisation: everything between the
/// geometry engine and fragment shaders. Pure geometry; touches no memory of the device.
/// Rules: Vulkan specification, chapters "Fixed-Function Vertex Post-Processing" and
/// "Rasterization".
#pragma once

#include "pal_shim/device/Draw.h"
#include "pal_shim/device/graphics/GeometryOutput.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace pal::device {

/// c + dx * x + dy * y; x and y are framebuffer coordinates (pixel centres at .5).
struct Plane {
  double c = 0, dx = 0, dy = 0;
  double at(double x, double y) const { return c + dx * x + dy * y; }
  bool operator==(const Plane &) const = default;
};

/// What the quads of one (clipped) primitive share. Barycentric coordinates refer to the original
/// primitive: i is the weight of vertex 1, j of vertex 2. Lines: i goes from vertex 0 to vertex 1,
/// j is 0. Points: i and j are gl_PointCoord.
struct RasterPrimitive {
  uint32_t primitive = 0;                       ///< in GeometryOutput::primitives
  uint8_t vertexCount = 3;                      ///< of what the API drew: 1, 2, 3
  std::array<uint32_t, 3> vertices = {0, 0, 0}; ///< in GeometryOutput::vertices
  bool frontFacing = true;                      ///< lines and points: true
  /// Perspective: i(x, y) = perspectiveI.at(x, y) / inverseW.at(x, y); inverseW is 1 / w of the
  /// clip position.
  Plane perspectiveI, perspectiveJ, inverseW;
  Plane linearI, linearJ;
  Plane depth;                      ///< framebuffer z, with depth bias; before clamping
  float minDepth = 0, maxDepth = 1; ///< range that RasterState::depthClampEnable clamps to
  uint32_t layer = 0, viewport = 0;
  /// As exported by the provoking vertex and by the primitive (mesh); 0: one pixel, or none.
  uint8_t vertexRate = 0, primitiveRate = 0;

  bool operator==(const RasterPrimitive &) const = default;
};

/// A 2x2 block of pixels, lanes in the order (0,0) (1,0) (0,1) (1,1).
struct RasterQuad {
  int32_t x = 0, y = 0; ///< of pixel 0; even
  /// Covered samples of each pixel, after scissor, render area and sample mask; 0: helper pixel.
  std::array<uint16_t, 4> coverage = {0, 0, 0, 0};
  /// Samples whose pixel area lies wholly inside the primitive count (FullyCoveredEXT): bit a
  /// pixel.
  uint8_t fullyCovered = 0;
};

/// Receives quads, primitive by primitive in order. The RasterPrimitive is the caller's and may
/// change with every call: the edges of a triangle in line mode share `primitive`, not the planes.
using QuadSink = llvm::function_ref<void(const RasterPrimitive &, const RasterQuad &)>;

/// What larger point sizes and line widths are clamped to.
inline constexpr float maxPointSize = 8191.875f, maxLineWidth = 8191.875f;

/// What goes on from call to call.
struct RasterCounts {
  uint64_t clippingInvocations = 0, clippingPrimitives = 0;
  /// Where the stipple pattern is in a strip of lines: their steps so far, or their length.
  double stippleAt = 0;
};

/// Rasterises all primitives of \p geometry. \p depthFormat: unit of constant depth bias. Errors:
/// DeviceFault BadLaunch for state that is not offered (smooth lines).
llvm::Error rasterize(const GeometryOutput &geometry, const RasterState &state,
                      formats::Format depthFormat, QuadSink sink, RasterCounts &counts);

} // namespace pal::device

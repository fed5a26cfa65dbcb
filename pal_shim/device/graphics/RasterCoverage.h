//===- RasterCoverage.h - which samples a shape covers ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shapes in fixed point to quads with coverage. Exact: edge functions are 64-bit integers, and a
/// sample on an edge belongs to the shape if that is a top or a left edge, so that shapes with a
/// common edge never share a sample and leave none out. Private to the rasteriser.
#pragma once

#include "pal_shim/device/graphics/Raster.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace pal::device {

/// Bits of a framebuffer coordinate below the pixel
/// (VkPhysicalDeviceLimits::subPixelPrecisionBits).
inline constexpr unsigned subPixelBits = 8;
inline constexpr int32_t subPixels = 1 << subPixelBits;

/// Framebuffer coordinates in 1 / 256 of a pixel, at most 2^26.
struct FixedPoint {
  int64_t x = 0, y = 0;
  bool operator==(const FixedPoint &other) const = default;
};
/// Nearest, ties to even; what is beyond the guard band is put on its edge.
int64_t snap(double coordinate);

/// Pixels x0 <= x < x1, y0 <= y < y1.
struct PixelRect {
  int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool isEmpty() const { return x0 >= x1 || y0 >= y1; }
  bool contains(int32_t x, int32_t y) const { return x >= x0 && x < x1 && y >= y0 && y < y1; }
  PixelRect intersected(const PixelRect &other) const;
};

/// Where the samples of a pixel are, and which of them may be covered.
struct SampleGrid {
  unsigned count = 1;
  std::array<int32_t, maxSamples> x = {}, y = {}; ///< 1 / 256 of a pixel, 0 .. 255
  uint16_t mask = 1;
};

using CoverageSink = llvm::function_ref<void(const RasterQuad &)>;
using FixedPolygon = llvm::SmallVector<FixedPoint, 16>;

/// Twice the signed area; positive: clockwise as seen on the screen (y down).
int64_t doubleArea(llvm::ArrayRef<FixedPoint> polygon);

/// Covers a polygon of any orientation that is convex but for rounding. \p overestimate: all
/// samples of all pixels that the polygon touches.
void coverPolygon(llvm::ArrayRef<FixedPoint> polygon, const SampleGrid &grid,
                  const PixelRect &bounds, bool overestimate, CoverageSink sink);

/// A line one pixel wide across its minor axis, or `width`.
struct BresenhamLine {
  FixedPoint a, b;
  unsigned width = 1;
};
/// Covers the pixels whose diamonds the line leaves (Vulkan "Bresenham Line Segment
/// Rasterization").
/// \p isDrawn: asked for each step along the major axis, counted from 0 (stipple). Returns the
/// number of steps of the whole line, whatever \p bounds leaves of it.
uint32_t coverBresenham(const BresenhamLine &line, const SampleGrid &grid, const PixelRect &bounds,
                        llvm::function_ref<bool(uint32_t step)> isDrawn, CoverageSink sink);

} // namespace pal::device

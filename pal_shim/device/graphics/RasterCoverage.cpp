//===- RasterCoverage.cpp - which samples a polygon covers -----------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/RasterCoverage.h"
#include "pal_shim/device/graphics/Clip.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace pal::device {

int64_t snap(double coordinate) {
  constexpr double limit = (guardBand + 1) * subPixels;
  double scaled = std::nearbyint(coordinate * subPixels);
  return int64_t(std::min(std::max(scaled, -limit), limit));
}

PixelRect PixelRect::intersected(const PixelRect &other) const {
  return {std::max(x0, other.x0), std::max(y0, other.y0), std::min(x1, other.x1),
          std::min(y1, other.y1)};
}

int64_t doubleArea(ArrayRef<FixedPoint> polygon) {
  int64_t sum = 0;
  for (size_t k = 0; k < polygon.size(); ++k) {
    const FixedPoint &a = polygon[k], &b = polygon[k + 1 == polygon.size() ? 0 : k + 1];
    sum += a.x * b.y - b.x * a.y;
  }
  return sum;
}

namespace {

/// Inside: a * x + b * y + c >= 0; `closed` is c without what the top-left rule takes off.
struct Edge {
  int64_t a = 0, b = 0, c = 0, closed = 0;

  Edge() = default;
  /// \p p to \p q, with the inside on the right as seen on the screen.
  Edge(const FixedPoint &p, const FixedPoint &q) : a(p.y - q.y), b(q.x - p.x) {
    closed = -(a * p.x + b * p.y);
    bool isTopLeft = a > 0 || (a == 0 && b > 0);
    c = closed - !isTopLeft;
  }

  /// Largest and smallest change within a square of \p size.
  int64_t rise(int64_t size) const {
    return (std::max<int64_t>(a, 0) + std::max<int64_t>(b, 0)) * size;
  }
  int64_t fall(int64_t size) const {
    return (std::min<int64_t>(a, 0) + std::min<int64_t>(b, 0)) * size;
  }
};

using Edges = SmallVector<Edge, 24>;

constexpr int32_t blockSize = 8;

/// Calls \p block for all aligned blocks of 8 x 8 pixels that meet \p bounds.
template <typename Block> void forEachBlock(const PixelRect &bounds, Block block) {
  for (int32_t y = bounds.y0 & ~(blockSize - 1); y < bounds.y1; y += blockSize)
    for (int32_t x = bounds.x0 & ~(blockSize - 1); x < bounds.x1; x += blockSize)
      block(x, y);
}

/// Calls \p pixel(x, y, quad, lane) for all pixels of a block that lie in \p bounds, and hands on
/// the quads in which anything is covered then.
template <typename Pixel>
void forEachQuad(int32_t blockX, int32_t blockY, const PixelRect &bounds, CoverageSink sink,
                 Pixel pixel) {
  for (int32_t y = blockY; y < blockY + blockSize; y += 2) {
    for (int32_t x = blockX; x < blockX + blockSize; x += 2) {
      RasterQuad quad{.x = x, .y = y, .coverage = {}, .fullyCovered = 0};
      unsigned any = 0;
      for (unsigned lane = 0; lane < 4; ++lane) {
        int32_t pixelX = x + int32_t(lane & 1), pixelY = y + int32_t(lane >> 1);
        if (bounds.contains(pixelX, pixelY))
          pixel(pixelX, pixelY, quad, lane);
        any |= quad.coverage[lane];
      }
      if (any)
        sink(quad);
    }
  }
}

/// Polygons as intersections of half planes.
class ConvexCoverage {
public:
  ConvexCoverage(const SampleGrid &grid, const PixelRect &bounds, bool overestimate,
                 CoverageSink sink)
      : grid(grid), bounds(bounds), overestimate(overestimate), sink(sink) {}

  void cover(const Edges &edges) {
    forEachBlock(bounds, [&](int32_t x, int32_t y) { coverBlock(edges, x, y); });
  }

private:
  /// Drops the edges that the whole block is inside of.
  void coverBlock(const Edges &edges, int32_t blockX, int32_t blockY) {
    Edges active;
    constexpr int64_t extent = int64_t(blockSize) * subPixels;
    for (const Edge &edge : edges) {
      int64_t corner = valueAt(edge, blockX, blockY);
      if (corner + edge.rise(extent) < 0)
        return;
      if (corner + edge.fall(extent) < 0 || overestimate)
        active.push_back(edge);
    }
    forEachQuad(blockX, blockY, bounds, sink,
                [&](int32_t x, int32_t y, RasterQuad &quad, unsigned lane) {
                  coverPixel(active, x, y, quad, lane);
                });
  }

  void coverPixel(const Edges &active, int32_t x, int32_t y, RasterQuad &quad,
                  unsigned lane) const {
    uint16_t covered = grid.mask;
    bool isFull = true;
    for (const Edge &edge : active) {
      int64_t corner = valueAt(edge, x, y);
      isFull &= corner + (edge.closed - edge.c) + edge.fall(subPixels) >= 0;
      if (overestimate) {
        if (corner + edge.rise(subPixels) < 0)
          return;
        continue;
      }
      for (unsigned sample = 0; sample < grid.count; ++sample)
        if (corner + edge.a * grid.x[sample] + edge.b * grid.y[sample] < 0)
          covered &= ~(1u << sample);
    }
    quad.coverage[lane] = covered;
    if (isFull)
      quad.fullyCovered |= 1u << lane;
  }

  static int64_t valueAt(const Edge &edge, int32_t x, int32_t y) {
    return edge.a * (int64_t(x) * subPixels) + edge.b * (int64_t(y) * subPixels) + edge.c;
  }

  const SampleGrid &grid;
  const PixelRect &bounds;
  const bool overestimate;
  CoverageSink sink;
};

/// Whether a sample is inside, by the edges to its left; the same rule for samples on edges as
/// half planes have, for polygons that rounding has bent inwards.
bool isInsideByWinding(ArrayRef<FixedPoint> polygon, int64_t x, int64_t y) {
  int winding = 0;
  for (size_t k = 0; k < polygon.size(); ++k) {
    FixedPoint a = polygon[k], b = polygon[k + 1 == polygon.size() ? 0 : k + 1];
    if (a.y == b.y)
      continue;
    int direction = a.y < b.y ? 1 : -1;
    if (direction < 0)
      std::swap(a, b);
    if (y < a.y || y >= b.y)
      continue;
    bool isRightOf = (x - a.x) * (b.y - a.y) >= (b.x - a.x) * (y - a.y);
    winding += isRightOf ? direction : 0;
  }
  return winding != 0;
}

void coverByWinding(ArrayRef<FixedPoint> polygon, const SampleGrid &grid, const PixelRect &bounds,
                    CoverageSink sink) {
  auto coverPixel = [&](int32_t x, int32_t y, RasterQuad &quad, unsigned lane) {
    for (unsigned sample = 0; sample < grid.count; ++sample)
      if (isInsideByWinding(polygon, int64_t(x) * subPixels + grid.x[sample],
                            int64_t(y) * subPixels + grid.y[sample]))
        quad.coverage[lane] |= grid.mask & (1u << sample);
  };
  forEachBlock(bounds, [&](int32_t x, int32_t y) { forEachQuad(x, y, bounds, sink, coverPixel); });
}

/// Whether walking around never turns left.
bool isConvex(ArrayRef<FixedPoint> polygon) {
  for (size_t k = 0, count = polygon.size(); k < count; ++k) {
    const FixedPoint &a = polygon[k], &b = polygon[(k + 1) % count], &c = polygon[(k + 2) % count];
    if ((b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) < 0)
      return false;
  }
  return true;
}

/// Pixels that the box around the polygon touches.
PixelRect pixelsOf(const FixedPoint &low, const FixedPoint &high) {
  return {int32_t(low.x >> subPixelBits), int32_t(low.y >> subPixelBits),
          int32_t(high.x >> subPixelBits) + 1, int32_t(high.y >> subPixelBits) + 1};
}

} // namespace

void coverPolygon(ArrayRef<FixedPoint> polygon, const SampleGrid &grid, const PixelRect &bounds,
                  bool overestimate, CoverageSink sink) {
  int64_t area = doubleArea(polygon);
  if (area == 0)
    return;
  FixedPolygon points;
  for (const FixedPoint &point : polygon)
    if (points.empty() || points.back() != point)
      points.push_back(point);
  while (points.size() > 1 && points.front() == points.back())
    points.pop_back();
  if (area < 0)
    std::reverse(points.begin(), points.end());

  FixedPoint low = points[0], high = points[0];
  for (const FixedPoint &point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  // A pixel that the polygon touches from the left or from above counts as well.
  if (overestimate)
    low = {low.x - 1, low.y - 1};
  PixelRect inside = bounds.intersected(pixelsOf(low, high));
  if (inside.isEmpty())
    return;
  if (!overestimate && !isConvex(points))
    return coverByWinding(points, grid, inside, sink);
  Edges edges;
  for (size_t k = 0; k < points.size(); ++k) {
    edges.push_back(Edge(points[k], points[(k + 1) % points.size()]));
    if (overestimate) // to touch an edge is enough
      edges.back().c = edges.back().closed;
  }
  ConvexCoverage(grid, inside, overestimate, sink).cover(edges);
}

} // namespace pal::device

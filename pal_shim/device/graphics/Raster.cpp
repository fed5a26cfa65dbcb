//===- Raster.cpp - primitives to quads ------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One primitive after the other: cull distances, clipping, viewport, facing, then the shapes that
/// it is drawn as.
///
/// In x and y, triangles and lines are clipped at a guard band only, and everything is cut off at
/// the viewport as pixels, as hardware does it. (The specification would clip lines and polygons in
/// line mode at the view volume, and let their width and the squares of points reach out of the
/// viewport.)
#include "pal_shim/device/graphics/Raster.h"
#include "pal_shim/device/graphics/Clip.h"
#include "pal_shim/device/graphics/RasterCoverage.h"
#include "pal_shim/device/graphics/RasterPlanes.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace pal::device {

namespace {

/// What depends on the viewport.
struct ViewportSetup {
  ViewportTransform transform;
  ClipVolume volume;
  PixelRect bounds; ///< of the viewport, scissor and render area
  ClipSides triangleSides = ClipSides::GuardBand;
};

/// Pixels of a rectangle, as far as fixed-point coordinates go.
PixelRect toPixels(const Rect &rect) {
  constexpr int64_t limit = int64_t(guardBand);
  auto end = [=](int32_t begin, uint32_t size) {
    return int32_t(std::min(int64_t(begin) + int64_t(size), limit));
  };
  return {std::max(rect.x, 0), std::max(rect.y, 0), end(rect.x, rect.width),
          end(rect.y, rect.height)};
}

/// The number of a step of the stipple pattern that is drawn.
bool isStippleOn(const RasterState &state, uint64_t step) {
  unsigned factor = std::clamp(state.stippleFactor, 1u, 256u);
  return state.stipplePattern >> (step / factor % 16) & 1;
}

class Rasterizer {
public:
  Rasterizer(const GeometryOutput &geometry, const RasterState &state, formats::Format depthFormat,
             QuadSink sink, RasterCounts &counts)
      : geometry(geometry), state(state), depthFormat(depthFormat), sink(sink), counts(counts) {
    for (unsigned k = 0; k < maxViewports; ++k)
      setUpViewport(k);
    setUpSamples();
    isBresenham = state.lineMode == LineMode::Bresenham;
    lineWidth =
        std::isfinite(state.lineWidth) ? std::clamp(state.lineWidth, 0.0f, maxLineWidth) : 1;
  }

  void run() {
    for (size_t k = 0; k < geometry.primitives.size(); ++k)
      rasterizePrimitive(uint32_t(k));
  }

private:
  void setUpViewport(unsigned index);
  void setUpSamples();
  void rasterizePrimitive(uint32_t index);
  bool collectVertices(const PrimitiveOutput &primitive, ClipPolygon &vertices) const;
  void beginPrimitive(uint32_t index, const PrimitiveOutput &primitive, RasterPrimitive &raster);

  void rasterizeTriangle(const PrimitiveOutput &primitive, ClipPolygon &polygon,
                         RasterPrimitive &raster);
  void fillPolygon(const FixedPolygon &points, const RasterPrimitive &raster);
  void outlinePolygon(const ClipPolygon &clipped, const ScreenPolygon &polygon, double bias,
                      RasterPrimitive &raster);
  void rasterizeLine(ClipPolygon &vertices, RasterPrimitive &raster);
  void drawLine(const ScreenVertex &a, const ScreenVertex &b, const RasterPrimitive &raster);
  void drawRectangle(const ScreenVertex &a, const ScreenVertex &b, const RasterPrimitive &raster);
  void rasterizePoint(const ClipVertex &vertex, float size, RasterPrimitive &raster);
  void drawPoint(const ScreenVertex &center, float size, const RasterPrimitive &raster);

  const GeometryOutput &geometry;
  const RasterState &state;
  const formats::Format depthFormat;
  QuadSink sink;
  RasterCounts &counts;

  std::array<ViewportSetup, maxViewports> viewports;
  const ViewportSetup *viewport = nullptr; ///< of the primitive
  SampleGrid grid;
  bool isBresenham = false;
  float lineWidth = 1;
};

void Rasterizer::setUpViewport(unsigned index) {
  ViewportSetup &setup = viewports[index];
  const Viewport &from = state.viewports[index];
  setup.transform = ViewportTransform(from, state.negativeOneToOne);
  if (!setup.transform.isValid)
    return;
  setup.volume = ClipVolume(state, setup.transform, geometry.clipMask);

  double x[2], y[2];
  for (unsigned side = 0; side < 2; ++side) {
    x[side] = double(from.x) + side * double(from.width);
    y[side] = double(from.y) + side * double(from.height);
  }
  auto [left, right] = std::minmax(x[0], x[1]);
  auto [top, bottom] = std::minmax(y[0], y[1]);
  PixelRect inside = {int32_t(std::floor(left)), int32_t(std::floor(top)),
                      int32_t(std::ceil(right)), int32_t(std::ceil(bottom))};
  setup.bounds =
      inside.intersected(toPixels(state.renderArea)).intersected(toPixels(state.scissors[index]));
  // A viewport that ends within pixels cuts areas between their samples.
  bool isWhole = inside.x0 == left && inside.y0 == top && inside.x1 == right && inside.y1 == bottom;
  if (state.polygonMode == PolygonMode::Fill && !isWhole)
    setup.triangleSides = ClipSides::ViewVolume;
}

void Rasterizer::setUpSamples() {
  grid.count = std::clamp(state.samples, 1u, maxSamples);
  for (unsigned sample = 0; sample < grid.count; ++sample) {
    auto place = [](float position) {
      return position > 0
                 ? int32_t(std::min(std::nearbyint(position * subPixels), float(subPixels - 1)))
                 : 0;
    };
    grid.x[sample] = place(state.samplePositions[sample][0]);
    grid.y[sample] = place(state.samplePositions[sample][1]);
  }
  grid.mask = uint16_t(state.sampleMask & ((1u << grid.count) - 1));
}

/// The vertices of a primitive for the clipper; false if nothing is to be drawn: no such vertices,
/// positions that are not finite, or all of them culled by a cull distance.
bool Rasterizer::collectVertices(const PrimitiveOutput &primitive, ClipPolygon &vertices) const {
  uint8_t culled = geometry.cullMask;
  unsigned count = primitive.vertexCount;
  if (count < 1 || count > 3 || primitive.provoking >= count)
    return false;
  for (unsigned k = 0; k < count; ++k) {
    if (primitive.vertices[k] >= geometry.vertices.size())
      return false;
    const VertexOutput &from = geometry.vertices[primitive.vertices[k]];
    ClipVertex &vertex = vertices.emplace_back();
    vertex.i = k == 1;
    vertex.j = k == 2;
    vertex.drawsEdge = primitive.edges >> k & 1;
    for (unsigned axis = 0; axis < 4; ++axis) {
      if (!std::isfinite(from.position[axis]))
        return false;
      vertex.position[axis] = from.position[axis];
    }
    for (unsigned plane = 0; plane < 8; ++plane) {
      float distance = from.distances[plane];
      if (geometry.clipMask >> plane & 1 && std::isnan(distance))
        return false;
      if (distance >= 0)
        culled &= ~(1u << plane);
      constexpr float largest = std::numeric_limits<float>::max();
      vertex.distances[plane] = std::clamp(distance, -largest, largest);
    }
  }
  return culled == 0;
}

void Rasterizer::beginPrimitive(uint32_t index, const PrimitiveOutput &primitive,
                                RasterPrimitive &raster) {
  const VertexOutput &provoking = geometry.vertices[primitive.vertices[primitive.provoking]];
  raster.primitive = index;
  raster.vertexCount = primitive.vertexCount;
  raster.vertices = primitive.vertices;
  raster.layer = primitive.hasOwnLayer ? primitive.layer : provoking.layer;
  raster.viewport = primitive.hasOwnViewport ? primitive.viewport : provoking.viewport;
  raster.vertexRate = uint8_t(provoking.shadingRate);
  raster.primitiveRate = uint8_t(primitive.hasOwnRate ? primitive.shadingRate : 0);
  if (raster.viewport >= maxViewports)
    raster.viewport = 0;
  viewport = &viewports[raster.viewport];
  const Viewport &range = state.viewports[raster.viewport];
  const auto [first, last] =
      state.depthClampRange.value_or(std::array<float, 2>{range.minDepth, range.maxDepth});
  raster.minDepth = std::min(first, last);
  raster.maxDepth = std::max(first, last);
}

void Rasterizer::rasterizePrimitive(uint32_t index) {
  const PrimitiveOutput &primitive = geometry.primitives[index];
  ++counts.clippingInvocations;
  ClipPolygon vertices;
  if (!collectVertices(primitive, vertices))
    return;
  RasterPrimitive raster;
  beginPrimitive(index, primitive, raster);
  if (!viewport->transform.isValid)
    return;
  if (primitive.vertexCount == 3)
    return rasterizeTriangle(primitive, vertices, raster);
  if (primitive.vertexCount == 1)
    return rasterizePoint(vertices[0], geometry.vertices[primitive.vertices[0]].pointSize, raster);
  if (!primitive.continuesLine)
    counts.stippleAt = 0;
  rasterizeLine(vertices, raster);
}

//===--- Triangles ---------------------------------------------------------===//

void Rasterizer::rasterizeTriangle(const PrimitiveOutput &primitive, ClipPolygon &polygon,
                                   RasterPrimitive &raster) {
  SmallVector<ClipVertex, 3> original(polygon.begin(), polygon.end());
  if (!viewport->volume.clipPolygon(polygon, viewport->triangleSides))
    return;
  ++counts.clippingPrimitives;
  ScreenPolygon screen;
  FixedPolygon points;
  for (const ClipVertex &vertex : polygon) {
    screen.push_back(toScreen(vertex, viewport->transform));
    points.push_back({snap(screen.back().x), snap(screen.back().y)});
  }
  // The specification's area has the opposite sign of doubleArea(): positive, counterclockwise.
  int64_t area = doubleArea(points);
  raster.frontFacing = state.frontClockwise ? area > 0 : area < 0;
  if (raster.frontFacing ? state.cullFront : state.cullBack)
    return;
  bool isFilled = state.polygonMode == PolygonMode::Fill;
  if (isFilled && area == 0)
    return;

  bool hasPlanes = setTrianglePlanes(raster, original, screen, viewport->transform);
  if (!hasPlanes && isFilled)
    return;
  double maxDepth = 0;
  for (const ScreenVertex &vertex : screen)
    maxDepth = std::max(maxDepth, std::abs(vertex.z));
  double bias = depthBias(state, depthFormat, hasPlanes ? raster.depth : Plane(), maxDepth);
  if (isFilled) {
    raster.depth.c += bias;
    return fillPolygon(points, raster);
  }
  if (hasPlanes) {
    for (ScreenVertex &vertex : screen) {
      vertex.linearI = raster.linearI.at(vertex.x, vertex.y);
      vertex.linearJ = raster.linearJ.at(vertex.x, vertex.y);
    }
  }
  outlinePolygon(polygon, screen, bias, raster);
}

void Rasterizer::fillPolygon(const FixedPolygon &points, const RasterPrimitive &raster) {
  coverPolygon(points, grid, viewport->bounds, state.conservativeOverestimate,
               [&](const RasterQuad &quad) { sink(raster, quad); });
}

/// Polygon modes line and point: each edge or vertex is drawn on its own, with what the polygon
/// has there. The edge that ends at vertex 0 comes first, as in lavapipe.
void Rasterizer::outlinePolygon(const ClipPolygon &clipped, const ScreenPolygon &polygon,
                                double bias, RasterPrimitive &raster) {
  counts.stippleAt = 0;
  for (size_t k = 0, count = polygon.size(); k < count; ++k) {
    size_t first = (k + count - 1) % count;
    const ScreenVertex &from = polygon[first], &to = polygon[k];
    if (state.polygonMode == PolygonMode::Line && clipped[first].drawsEdge) {
      setLinePlanes(raster, from, to, isBresenham);
      raster.depth.c += bias;
      drawLine(from, to, raster);
    }
    if (state.polygonMode == PolygonMode::Point && clipped[k].isOriginal && clipped[k].drawsEdge &&
        viewport->volume.containsPoint(clipped[k])) {
      setConstantPlanes(raster, to);
      raster.depth.c += bias;
      unsigned which = clipped[k].j > 0.5 ? 2 : clipped[k].i > 0.5 ? 1 : 0;
      drawPoint(to, geometry.vertices[raster.vertices[which]].pointSize, raster);
    }
  }
}

//===--- Lines -------------------------------------------------------------===//

void Rasterizer::rasterizeLine(ClipPolygon &vertices, RasterPrimitive &raster) {
  ClipVertex original[2] = {vertices[0], vertices[1]};
  ClipVertex &a = vertices[0], &b = vertices[1];
  if (!viewport->volume.clipLine(a, b))
    return;
  ++counts.clippingPrimitives;
  ScreenVertex from = toScreen(a, viewport->transform), to = toScreen(b, viewport->transform);
  // What is linear in the framebuffer goes by the place between the projections of the ends.
  if (!a.isOriginal || !b.isOriginal) {
    ScreenVertex whole[2];
    for (unsigned k = 0; k < 2; ++k)
      whole[k] = toScreen(original[k], viewport->transform, false);
    RasterPrimitive unclipped;
    setLinePlanes(unclipped, whole[0], whole[1], false);
    for (ScreenVertex *end : {&from, &to}) {
      double place = unclipped.linearI.at(end->x, end->y);
      if (std::isfinite(place))
        end->linearI = place;
    }
  }
  setLinePlanes(raster, from, to, isBresenham);
  drawLine(from, to, raster);
}

void Rasterizer::drawLine(const ScreenVertex &a, const ScreenVertex &b,
                          const RasterPrimitive &raster) {
  if (!isBresenham)
    return drawRectangle(a, b, raster);
  BresenhamLine line{.a = {snap(a.x), snap(a.y)},
                     .b = {snap(b.x), snap(b.y)},
                     .width = std::max(1u, unsigned(std::nearbyint(lineWidth)))};
  uint64_t begin = uint64_t(counts.stippleAt);
  auto isDrawn = [&](uint32_t step) {
    return !state.stippleEnable || isStippleOn(state, begin + step);
  };
  counts.stippleAt += coverBresenham(line, grid, viewport->bounds, isDrawn,
                                     [&](const RasterQuad &quad) { sink(raster, quad); });
}

void Rasterizer::drawRectangle(const ScreenVertex &a, const ScreenVertex &b,
                               const RasterPrimitive &raster) {
  double x = b.x - a.x, y = b.y - a.y;
  double length = std::hypot(x, y);
  if (!(length > 0))
    return;
  double acrossX = -y / length * lineWidth / 2, acrossY = x / length * lineWidth / 2;
  int64_t sideX = snap(acrossX), sideY = snap(acrossY);
  FixedPoint from = {snap(a.x), snap(a.y)}, to = {snap(b.x), snap(b.y)};
  FixedPolygon corners = {{from.x - sideX, from.y - sideY},
                          {to.x - sideX, to.y - sideY},
                          {to.x + sideX, to.y + sideY},
                          {from.x + sideX, from.y + sideY}};
  double begin = counts.stippleAt;
  counts.stippleAt += length;
  auto stippled = [&](RasterQuad quad) {
    unsigned any = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
      for (unsigned sample = 0; sample < grid.count; ++sample) {
        double sampleX = quad.x + double(lane & 1) + double(grid.x[sample]) / subPixels;
        double sampleY = quad.y + double(lane >> 1) + double(grid.y[sample]) / subPixels;
        double along = ((sampleX - a.x) * x + (sampleY - a.y) * y) / length;
        if (!isStippleOn(state, uint64_t(std::max(0.0, begin + along))))
          quad.coverage[lane] &= ~(1u << sample);
      }
      any |= quad.coverage[lane];
    }
    if (any)
      sink(raster, quad);
  };
  coverPolygon(corners, grid, viewport->bounds, false, [&](const RasterQuad &quad) {
    state.stippleEnable ? stippled(quad) : sink(raster, quad);
  });
}

//===--- Points ------------------------------------------------------------===//

void Rasterizer::rasterizePoint(const ClipVertex &vertex, float size, RasterPrimitive &raster) {
  if (!viewport->volume.containsPoint(vertex))
    return;
  ++counts.clippingPrimitives;
  ScreenVertex center = toScreen(vertex, viewport->transform);
  setConstantPlanes(raster, center);
  float side = size > 0 ? std::min(size, maxPointSize) : 0; // NaN: 0
  if (side == 0)
    return;
  // gl_PointCoord: 0 at the left and top edges, 1 at the right and bottom ones.
  raster.linearI = {0.5 - center.x / side, 1.0 / side, 0};
  raster.linearJ = {0.5 - center.y / side, 0, 1.0 / side};
  auto overW = [&center](const Plane &plane) {
    return Plane{plane.c * center.inverseW, plane.dx * center.inverseW, plane.dy * center.inverseW};
  };
  raster.perspectiveI = overW(raster.linearI);
  raster.perspectiveJ = overW(raster.linearJ);
  drawPoint(center, size, raster);
}

void Rasterizer::drawPoint(const ScreenVertex &center, float size, const RasterPrimitive &raster) {
  double halfSide = size > 0 ? std::min(size, maxPointSize) / 2.0 : 0;
  int64_t left = snap(center.x - halfSide), right = snap(center.x + halfSide);
  int64_t top = snap(center.y - halfSide), bottom = snap(center.y + halfSide);
  FixedPolygon corners = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
  coverPolygon(corners, grid, viewport->bounds, false,
               [&](const RasterQuad &quad) { sink(raster, quad); });
}

} // namespace

Error rasterize(const GeometryOutput &geometry, const RasterState &state,
                formats::Format depthFormat, QuadSink sink, RasterCounts &counts) {
  if (state.rasterizerDiscard)
    return Error::success();
  if (state.lineMode == LineMode::RectangularSmooth)
    return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch, "smooth lines are not rasterised");
  Rasterizer(geometry, state, depthFormat, sink, counts).run();
  return Error::success();
}

} // namespace pal::device

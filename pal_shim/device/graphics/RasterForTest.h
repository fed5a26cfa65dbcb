//===- RasterForTest.h - pictures of what the rasteriser covers ------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/graphics/Raster.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace pal::device {

/// A draw into a small picture whose clip space is made so that positions can be given in pixels.
struct RasterForTest {
  int width = 8, height = 8;
  RasterState state;
  GeometryOutput geometry;
  formats::Format depthFormat = formats::Format::Undefined;
  RasterCounts counts;

  struct Fragment {
    RasterPrimitive primitive;
    RasterQuad quad; ///< that the pixel is of
    uint16_t coverage = 0;
    bool isFull = false;
  };
  /// By (y, x): fragments in order.
  std::map<std::pair<int, int>, std::vector<Fragment>> fragments;

  explicit RasterForTest(int width = 8, int height = 8) : width(width), height(height) {
    state.viewports[0] = {0, 0, float(width), float(height), 0, 1};
    state.scissors[0] = {0, 0, unsigned(width), unsigned(height)};
    state.renderArea = state.scissors[0];
    state.samplePositions[0] = {0.5f, 0.5f};
  }

  /// A vertex at framebuffer (x, y, z) of viewport 0 with the given w.
  uint32_t vertex(double x, double y, double z = 0.5, double w = 1) {
    VertexOutput out;
    out.position = {float((2 * x / width - 1) * w), float((2 * y / height - 1) * w), float(z * w),
                    float(w)};
    return clipVertex(out.position);
  }
  uint32_t clipVertex(std::array<float, 4> position) {
    VertexOutput out;
    out.position = position;
    geometry.vertices.push_back(out);
    return uint32_t(geometry.vertices.size() - 1);
  }
  PrimitiveOutput &primitive(std::vector<uint32_t> vertices) {
    PrimitiveOutput out;
    out.vertexCount = uint8_t(vertices.size());
    for (size_t k = 0; k < vertices.size(); ++k)
      out.vertices[k] = vertices[k];
    geometry.primitives.push_back(out);
    return geometry.primitives.back();
  }

  std::string error() {
    fragments.clear();
    tiles.clear();
    counts = {};
    llvm::Error result = rasterize(
        geometry, state, depthFormat,
        [&](const RasterPrimitive &primitive, const RasterQuad &quad) {
          EXPECT_EQ(quad.x & 1, 0);
          EXPECT_EQ(quad.y & 1, 0);
          expectTileByTile(primitive, quad);
          for (unsigned lane = 0; lane < 4; ++lane)
            if (quad.coverage[lane])
              fragments[{quad.y + int(lane >> 1), quad.x + int(lane & 1)}].push_back(
                  {primitive, quad, quad.coverage[lane], bool(quad.fullyCovered >> lane & 1)});
        },
        counts);
    return llvm::toString(std::move(result));
  }
  /// A primitive leaves no tile of rates to come back to it: fragments of several pixels are put
  /// together by tile.
  void expectTileByTile(const RasterPrimitive &primitive, const RasterQuad &quad) {
    if (!(primitive == last))
      tiles.clear();
    last = primitive;
    std::pair tile(quad.y / int(rateTilePixels), quad.x / int(rateTilePixels));
    if (tiles.empty() || tiles.back() != tile)
      EXPECT_EQ(std::count(tiles.begin(), tiles.end(), tile), 0) << quad.x << ", " << quad.y;
    tiles.push_back(tile);
  }
  RasterPrimitive last;
  std::vector<std::pair<int, int>> tiles; ///< of `last`, one for each quad

  /// Rows separated by '|': '.' nothing, else how many fragments a pixel has.
  std::string picture() {
    EXPECT_EQ(error(), "");
    std::string text;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        auto at = fragments.find({y, x});
        text += at == fragments.end() ? '.' : char('0' + at->second.size());
      }
      text += y + 1 < height ? "|" : "";
    }
    return text;
  }
  const Fragment *at(int x, int y) const {
    auto found = fragments.find({y, x});
    return found == fragments.end() ? nullptr : &found->second.front();
  }
};

/// Values of a fragment at framebuffer (x, y).
inline double perspectiveI(const RasterPrimitive &primitive, double x, double y) {
  return primitive.perspectiveI.at(x, y) / primitive.inverseW.at(x, y);
}
inline double perspectiveJ(const RasterPrimitive &primitive, double x, double y) {
  return primitive.perspectiveJ.at(x, y) / primitive.inverseW.at(x, y);
}

} // namespace pal::device

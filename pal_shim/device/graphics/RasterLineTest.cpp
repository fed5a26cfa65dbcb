//===- RasterLineTest.cpp - lines, points, polygon modes -------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/RasterForTest.h"
#include <cmath>
#include <random>

using namespace pal::device;

namespace {

RasterForTest lineDraw(double ax, double ay, double bx, double by, LineMode mode, int width = 8,
                       int height = 4) {
  RasterForTest draw(width, height);
  draw.state.lineMode = mode;
  uint32_t a = draw.vertex(ax, ay), b = draw.vertex(bx, by);
  draw.primitive({a, b});
  return draw;
}

std::string bresenham(double ax, double ay, double bx, double by) {
  return lineDraw(ax, ay, bx, by, LineMode::Bresenham).picture();
}

//===--- The specification's diamonds, by brute force ----------------------===//

using Wide = __int128;
struct WidePoint {
  Wide x, y;
};
constexpr Wide unit = Wide(1) << 32; ///< of 1 / 256 pixel; the shift is 2^16 and 1 of it

/// Whether the shifted segment meets the open diamond around (cx, cy), and does not end in it.
bool leavesDiamond(WidePoint a, WidePoint b, Wide cx, Wide cy) {
  Wide half = 128 * unit;
  // Parameters t at which the segment is inside, as fractions low and high of positive denominator.
  Wide lowTop = 0, lowBottom = 1, highTop = 1, highBottom = 1;
  for (int sx : {-1, 1}) {
    for (int sy : {-1, 1}) {
      // inside: half - sx * (x - cx) - sy * (y - cy) > 0
      Wide atA = half - sx * (a.x - cx) - sy * (a.y - cy);
      Wide atB = half - sx * (b.x - cx) - sy * (b.y - cy);
      if (atA <= 0 && atB <= 0)
        return false;
      if (atA > 0 && atB > 0)
        continue;
      Wide top = atA, bottom = atA - atB;
      if (bottom < 0) {
        top = -top;
        bottom = -bottom;
      }
      if (atA > 0) {
        if (top * highBottom < highTop * bottom) {
          highTop = top;
          highBottom = bottom;
        }
      } else if (top * lowBottom > lowTop * bottom) {
        lowTop = top;
        lowBottom = bottom;
      }
    }
  }
  auto magnitude = [](Wide value) { return value < 0 ? -value : value; };
  bool endsInside = magnitude(b.x - cx) + magnitude(b.y - cy) < half;
  return lowTop * highBottom < highTop * lowBottom && !endsInside;
}

} // namespace

TEST(RasterLine, BresenhamByHand) {
  // The pixel of the end is left out.
  EXPECT_EQ(bresenham(0.5, 1.5, 6.5, 1.5), "........|111111..|........|........");
  EXPECT_EQ(bresenham(6.5, 1.5, 0.5, 1.5), "........|.111111.|........|........");
  EXPECT_EQ(bresenham(2.5, 0.5, 2.5, 3.5), "..1.....|..1.....|..1.....|........");
  // An end behind the diamond of its pixel.
  EXPECT_EQ(bresenham(0.5, 1.5, 6.9, 1.2), "........|1111111.|........|........");
  EXPECT_EQ(bresenham(0.5, 0.5, 3.5, 3.5), "1.......|.1......|..1.....|........");
  // Within a diamond: nothing is left.
  EXPECT_EQ(bresenham(2.4, 1.5, 2.6, 1.6), "........|........|........|........");
  EXPECT_EQ(bresenham(2.5, 1.5, 2.5, 1.5), "........|........|........|........");
}

TEST(RasterLine, BresenhamAgreesWithTheDiamonds) {
  std::mt19937 random(3);
  constexpr int size = 8;
  for (unsigned run = 0; run < 4000; ++run) {
    // Steps of a quarter pixel meet corners and sides of diamonds often.
    unsigned step = run % 4 == 0 ? 128 : run % 4 == 1 ? 64 : run % 4 == 2 ? 32 : 1;
    int64_t at[4];
    for (int64_t &coordinate : at)
      coordinate = random() % (size * 256 / step + 1) * step;
    RasterForTest draw = lineDraw(at[0] / 256.0, at[1] / 256.0, at[2] / 256.0, at[3] / 256.0,
                                  LineMode::Bresenham, size, size);
    ASSERT_EQ(draw.error(), "");
    WidePoint a{at[0] * unit - (1 << 16), at[1] * unit - 1};
    WidePoint b{at[2] * unit - (1 << 16), at[3] * unit - 1};
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x)
        ASSERT_EQ(draw.at(x, y) != nullptr,
                  leavesDiamond(a, b, (x * 256 + 128) * unit, (y * 256 + 128) * unit))
            << x << ", " << y << " of " << at[0] << ", " << at[1] << " - " << at[2] << ", "
            << at[3];
  }
}

TEST(RasterLine, AStripOfBresenhamLinesCoversEveryPixelOnce) {
  RasterForTest draw(16, 16);
  draw.state.lineMode = LineMode::Bresenham;
  // Every corner lies in a diamond.
  std::vector<std::array<double, 2>> places = {
      {2.4, 2.4}, {13.6, 4.3}, {11.5, 12.5}, {3.5, 9.5}, {2.4, 2.4}};
  for (size_t k = 0; k + 1 < places.size(); ++k)
    draw.primitive(
        {draw.vertex(places[k][0], places[k][1]), draw.vertex(places[k + 1][0], places[k + 1][1])});
  ASSERT_EQ(draw.error(), "");
  EXPECT_GT(draw.fragments.size(), 30u);
  for (const auto &[place, list] : draw.fragments)
    EXPECT_EQ(list.size(), 1u) << place.second << ", " << place.first;
}

TEST(RasterLine, WideBresenhamLinesAreColumns) {
  RasterForTest draw = lineDraw(1.5, 1.5, 4.5, 1.5, LineMode::Bresenham);
  draw.state.lineWidth = 3;
  EXPECT_EQ(draw.picture(), ".111....|.111....|.111....|........");
  draw.state.lineWidth = 2;
  EXPECT_EQ(draw.picture(), ".111....|.111....|........|........");
}

TEST(RasterLine, RectanglesFollowTheTopLeftRule) {
  RasterForTest draw = lineDraw(1, 1.5, 5, 1.5, LineMode::Rectangular);
  EXPECT_EQ(draw.picture(), "........|.1111...|........|........");
  draw.state.lineMode = LineMode::Default;
  EXPECT_EQ(draw.picture(), "........|.1111...|........|........");
  draw.state.lineWidth = 2;
  EXPECT_EQ(draw.picture(), ".1111...|.1111...|........|........");
  // From pixel centre to pixel centre: with the left one, without the right one.
  draw = lineDraw(1.5, 1.5, 5.5, 1.5, LineMode::Rectangular);
  EXPECT_EQ(draw.picture(), "........|.1111...|........|........");
  draw = lineDraw(5.5, 1.5, 1.5, 1.5, LineMode::Rectangular);
  EXPECT_EQ(draw.picture(), "........|.1111...|........|........");
  draw = lineDraw(3.5, 3, 3.5, 0, LineMode::Rectangular);
  EXPECT_EQ(draw.picture(), "...1....|...1....|...1....|........");
  // 45 degrees: half a width to each side of the diagonal.
  draw = lineDraw(0, 0, 4, 4, LineMode::Rectangular);
  draw.state.lineWidth = 1.5;
  EXPECT_EQ(draw.picture(), "11......|111.....|.111....|..11....");
}

TEST(RasterLine, SmoothLinesAreRefused) {
  RasterForTest draw = lineDraw(1, 1, 5, 1, LineMode::RectangularSmooth);
  EXPECT_NE(draw.error().find("smooth lines"), std::string::npos);
}

TEST(RasterLine, Samples) {
  RasterForTest draw = lineDraw(1, 1.5, 3, 1.5, LineMode::Rectangular);
  draw.state.samples = 2;
  draw.state.samplePositions[0] = {0.75f, 0.75f};
  draw.state.samplePositions[1] = {0.25f, 0.25f};
  draw.state.lineWidth = 0.6f; // 1.2 .. 1.8
  EXPECT_EQ(draw.picture(), "........|.11.....|........|........");
  EXPECT_EQ(draw.at(1, 1)->coverage, 3);
  draw.state.lineWidth = 1.2f; // 0.9 .. 2.1
  EXPECT_EQ(draw.picture(), "........|.11.....|........|........");
  draw.state.lineWidth = 1.6f; // 0.7 .. 2.3
  EXPECT_EQ(draw.picture(), ".11.....|.11.....|.11.....|........");
  EXPECT_EQ(draw.at(1, 0)->coverage, 1);
  EXPECT_EQ(draw.at(1, 2)->coverage, 2);
  // Bresenham lines cover whole pixels.
  draw = lineDraw(1.5, 1.5, 3.5, 1.5, LineMode::Bresenham);
  draw.state.samples = 2;
  EXPECT_EQ(draw.picture(), "........|.11.....|........|........");
  EXPECT_EQ(draw.at(1, 1)->coverage, 3);
}

TEST(RasterLine, Stipple) {
  for (LineMode mode : {LineMode::Bresenham, LineMode::Rectangular}) {
    // Steps are counted by pixels, lengths from the end: both begin with pixel 0 here.
    double begin = mode == LineMode::Bresenham ? 0.5 : 0;
    RasterForTest draw = lineDraw(begin, 0.5, begin + 16, 0.5, mode, 20, 1);
    draw.state.stippleEnable = true;
    draw.state.stipplePattern = 0b1000000000001101;
    EXPECT_EQ(draw.picture(), "1.11...........1....");
    draw.state.stippleFactor = 3;
    EXPECT_EQ(draw.picture(), "111...111111........");
    // What the scissor leaves does not move.
    draw.state.scissors[0] = {5, 0, 100, 1};
    EXPECT_EQ(draw.picture(), "......111111........");
    // Against the axis: the pattern begins at vertex 0, whose pixel is drawn, unlike the last one.
    std::swap(draw.geometry.vertices[0], draw.geometry.vertices[1]);
    draw.state.scissors[0] = {0, 0, 100, 1};
    draw.state.stippleFactor = 1;
    EXPECT_EQ(draw.picture(),
              mode == LineMode::Bresenham ? ".1...........11.1..." : "1...........11.1....");
  }
}

TEST(RasterLine, StippleGoesOnInStrips) {
  for (LineMode mode : {LineMode::Bresenham, LineMode::Rectangular}) {
    double begin = mode == LineMode::Bresenham ? 0.5 : 0;
    RasterForTest draw = lineDraw(begin, 0.5, begin + 3, 0.5, mode, 16, 1);
    draw.primitive({1, draw.vertex(begin + 12, 0.5)}).continuesLine = true;
    draw.state.stippleEnable = true;
    draw.state.stipplePattern = 0x00FF;
    EXPECT_EQ(draw.picture(), "11111111........");
    // Also from one batch of primitives to the next.
    RasterCounts counts;
    std::string text(16, '.');
    for (const PrimitiveOutput &primitive : draw.geometry.primitives) {
      GeometryOutput batch = draw.geometry;
      batch.primitives = {primitive};
      auto sink = [&](const RasterPrimitive &, const RasterQuad &quad) {
        for (unsigned lane = 0; lane < 2; ++lane)
          if (quad.coverage[lane])
            text[quad.x + lane] = '1';
      };
      llvm::cantFail(rasterize(batch, draw.state, draw.depthFormat, sink, counts));
    }
    EXPECT_EQ(text, "11111111........");
    draw.geometry.primitives[1].continuesLine = false;
    EXPECT_EQ(draw.picture(), "11111111111.....");
  }
}

TEST(RasterLine, BarycentricsGoAlongTheLine) {
  for (LineMode mode : {LineMode::Bresenham, LineMode::Rectangular}) {
    RasterForTest draw(8, 8);
    draw.state.lineMode = mode;
    draw.primitive({draw.vertex(0.5, 0.5, 0.25, 1), draw.vertex(6.5, 6.5, 0.75, 3)});
    ASSERT_EQ(draw.error(), "");
    ASSERT_TRUE(draw.at(2, 2));
    const RasterPrimitive &primitive = draw.at(2, 2)->primitive;
    EXPECT_EQ(primitive.vertexCount, 2);
    EXPECT_TRUE(primitive.frontFacing);
    EXPECT_NEAR(primitive.linearI.at(2.5, 2.5), 1 / 3.0, 1e-6);
    EXPECT_NEAR(primitive.depth.at(2.5, 2.5), 0.25 + 0.5 / 3, 1e-6);
    EXPECT_NEAR(primitive.inverseW.at(2.5, 2.5), 2 / 3.0 + 1 / 9.0, 1e-6);
    EXPECT_NEAR(perspectiveI(primitive, 2.5, 2.5), (1 / 9.0) / (2 / 3.0 + 1 / 9.0), 1e-6);
    EXPECT_EQ(perspectiveJ(primitive, 2.5, 2.5), 0);
    // Beside the line: the foot of the perpendicular, or the same place of the major axis.
    double beside = primitive.linearI.at(3.5, 1.5);
    EXPECT_NEAR(beside, mode == LineMode::Rectangular ? 1 / 3.0 : 0.5, 1e-6);
  }
}

TEST(RasterLine, LinesAreCutAtTheViewportAndClippedByDepth) {
  RasterForTest draw(8, 4);
  draw.state.viewports[0] = {2, 0, 4, 4, 0, 1};
  // x from -3 to 3 of the viewport's -1 .. 1: framebuffer -2 .. 10.
  draw.primitive({draw.clipVertex({-3, -0.25f, 0, 1}), draw.clipVertex({3, -0.25f, 1, 1})});
  EXPECT_EQ(draw.picture(), "........|..1111..|........|........");
  EXPECT_EQ(draw.counts.clippingPrimitives, 1u);
  const RasterPrimitive &primitive = draw.at(3, 1)->primitive;
  EXPECT_NEAR(primitive.linearI.at(4, 1.5), 0.5, 1e-6);
  EXPECT_NEAR(perspectiveI(primitive, 2, 1.5), 1 / 3.0, 1e-6);
  EXPECT_NEAR(primitive.depth.at(5, 1.5), 7 / 12.0, 1e-6);
  // Depth: z = 0 .. 2 over the line, the half behind the far plane goes.
  draw.geometry = {};
  draw.primitive({draw.clipVertex({-1, -0.25f, 0, 1}), draw.clipVertex({1, -0.25f, 2, 1})});
  EXPECT_EQ(draw.picture(), "........|..11....|........|........");
  draw.state.depthClipEnable = false;
  EXPECT_EQ(draw.picture(), "........|..1111..|........|........");
}

TEST(RasterLine, WideLinesFillTheCornersOfTheViewport) {
  // |x - y - 4| < 2 from x + y = 4 on, through the right edge: not cut off square.
  RasterForTest draw = lineDraw(4, 0, 12, 8, LineMode::Rectangular, 8, 8);
  draw.state.lineWidth = 4 / std::sqrt(2.0f);
  EXPECT_EQ(draw.picture(),
            "...111..|...1111.|....1111|.....111|......11|.......1|........|........");
}

TEST(RasterLine, BresenhamLinesGoOnToTheEdgeOfTheViewport) {
  // Not as if they ended there, which would leave out the last pixel.
  RasterForTest draw = lineDraw(-3, 1.5, 12, 1.5, LineMode::Bresenham);
  EXPECT_EQ(draw.picture(), "........|11111111|........|........");
  std::swap(draw.geometry.vertices[0], draw.geometry.vertices[1]);
  EXPECT_EQ(draw.picture(), "........|11111111|........|........");
  draw.state.viewports[0] = {2, 0, 4, 4, 0, 1};
  EXPECT_EQ(draw.picture(), "........|..1111..|........|........");
}

TEST(RasterLine, APartBehindTheViewer) {
  RasterForTest draw(8, 4);
  // w from 1 to -1: only the half in front is seen, and leaves the picture at its right edge.
  draw.state.depthClipEnable = false;
  draw.primitive({draw.clipVertex({0, -0.25f, 0, 1}), draw.clipVertex({1, 0.25f, 0, -1})});
  EXPECT_EQ(draw.picture(), "........|....1111|........|........");
  // x / w = t / (1 - 2t) = 1 / 2 at t = 1 / 4
  EXPECT_NEAR(perspectiveI(draw.at(5, 1)->primitive, 6, 1.5), 0.25, 1e-6);
}

//===--- Points ------------------------------------------------------------===//

namespace {
RasterForTest pointDraw(double x, double y, float size, int width = 6, int height = 6) {
  RasterForTest draw(width, height);
  draw.primitive({draw.vertex(x, y)});
  draw.geometry.vertices[0].pointSize = size;
  return draw;
}
} // namespace

TEST(RasterPoint, Squares) {
  EXPECT_EQ(pointDraw(2.5, 1.5, 1).picture(), "......|..1...|......|......|......|......");
  EXPECT_EQ(pointDraw(2.5, 1.5, 3).picture(), ".111..|.111..|.111..|......|......|......");
  EXPECT_EQ(pointDraw(2, 2, 2).picture(), "......|.11...|.11...|......|......|......");
  // Edges through centres: the left and top ones are inside.
  EXPECT_EQ(pointDraw(2, 2, 1).picture(), "......|.1....|......|......|......|......");
  EXPECT_EQ(pointDraw(2.75, 2.75, 1).picture(), "......|......|..1...|......|......|......");
  EXPECT_EQ(pointDraw(2.5, 2.5, 0).picture(), "......|......|......|......|......|......");
  EXPECT_EQ(pointDraw(2.5, 2.5, NAN).picture(), "......|......|......|......|......|......");
  EXPECT_EQ(pointDraw(2.5, 2.5, 1e30f).picture(), "111111|111111|111111|111111|111111|111111");
}

TEST(RasterPoint, PointCoordinates) {
  RasterForTest draw = pointDraw(3, 2, 4);
  draw.geometry.vertices[0].position = {0.0f, -2.0f / 3.0f, 1.0f, 2.0f}; // (3, 2) again
  EXPECT_EQ(draw.picture(), ".1111.|.1111.|.1111.|.1111.|......|......");
  const RasterPrimitive &primitive = draw.at(1, 0)->primitive;
  EXPECT_EQ(primitive.vertexCount, 1);
  EXPECT_NEAR(perspectiveI(primitive, 1, 0), 0, 1e-6);
  EXPECT_NEAR(perspectiveI(primitive, 5, 0), 1, 1e-6);
  EXPECT_NEAR(perspectiveJ(primitive, 5, 1), 0.25, 1e-6);
  EXPECT_NEAR(primitive.linearI.at(4, 0), 0.75, 1e-6);
  EXPECT_EQ(primitive.inverseW.at(4, 0), 0.5);
  EXPECT_EQ(primitive.depth.at(4, 0), 0.5);
}

TEST(RasterPoint, OnlyTheCentreIsClipped) {
  RasterForTest draw = pointDraw(0, 3, 4);
  EXPECT_EQ(draw.picture(), "......|11....|11....|11....|11....|......");
  draw = pointDraw(-0.25, 3, 4);
  EXPECT_EQ(draw.picture(), "......|......|......|......|......|......");
  EXPECT_EQ(draw.counts.clippingInvocations, 1u);
  EXPECT_EQ(draw.counts.clippingPrimitives, 0u);
  // A square is cut off at the viewport.
  draw = pointDraw(3, 3, 4);
  draw.state.viewports[0] = {2, 2, 2, 2, 0, 1};
  EXPECT_EQ(draw.picture(), "......|......|..11..|..11..|......|......");
}

//===--- Polygon modes -----------------------------------------------------===//

TEST(RasterPolygonMode, EdgesOfATriangle) {
  RasterForTest draw(8, 8);
  draw.state.polygonMode = PolygonMode::Line;
  draw.state.lineMode = LineMode::Bresenham;
  PrimitiveOutput &primitive =
      draw.primitive({draw.vertex(1.5, 1.5), draw.vertex(6.5, 1.5), draw.vertex(1.5, 6.5)});
  EXPECT_EQ(draw.picture(),
            "........|.111111.|.1...1..|.1..1...|.1.1....|.11.....|.1......|........");
  primitive.edges = 0b101;
  EXPECT_EQ(draw.picture(),
            "........|.11111..|.1......|.1......|.1......|.1......|.1......|........");
  EXPECT_EQ(draw.at(3, 1)->primitive.vertexCount, 3);
  EXPECT_FALSE(draw.at(3, 1)->primitive.frontFacing);
  draw.state.cullBack = true;
  ASSERT_EQ(draw.error(), "");
  EXPECT_TRUE(draw.fragments.empty());
}

TEST(RasterPolygonMode, EdgesHaveTheTrianglesValues) {
  for (LineMode mode : {LineMode::Bresenham, LineMode::Rectangular}) {
    RasterForTest draw(16, 16);
    draw.state.polygonMode = PolygonMode::Line;
    draw.state.lineMode = mode;
    draw.depthFormat = pal::formats::Format::X16_Unorm;
    draw.primitive({draw.vertex(1.5, 1.5, 0.25, 1), draw.vertex(14.5, 1.5, 0.5, 2),
                    draw.vertex(1.5, 14.5, 0.75, 4)});
    ASSERT_EQ(draw.error(), "");
    const RasterPrimitive top = draw.at(5, 1)->primitive;
    EXPECT_NEAR(top.linearI.at(8, 1.5), 0.5, 1e-6);
    EXPECT_NEAR(top.linearJ.at(8, 1.5), 0, 1e-6);
    EXPECT_NEAR(perspectiveI(top, 8, 1.5), (0.5 / 2) / (0.5 + 0.5 / 2), 1e-6);
    EXPECT_NEAR(top.depth.at(8, 1.5), 0.375, 1e-6);
    const RasterPrimitive left = draw.at(1, 8)->primitive;
    EXPECT_NEAR(left.linearJ.at(1.5, 8), 0.5, 1e-6);
    EXPECT_NEAR(perspectiveJ(left, 1.5, 8), (0.5 / 4) / (0.5 + 0.5 / 4), 1e-6);
    // Depth bias is that of the triangle: the larger slope is 0.5 / 13.
    draw.state.depthBiasEnable = true;
    draw.state.depthBiasSlope = 1;
    ASSERT_EQ(draw.error(), "");
    EXPECT_NEAR(draw.at(5, 1)->primitive.depth.at(8, 1.5), 0.375 + 0.5 / 13, 1e-6);
  }
}

TEST(RasterPolygonMode, TheEdgeOfTheViewVolumeIsNotDrawnThatOfAUserPlaneIs) {
  RasterForTest draw(8, 8);
  draw.state.polygonMode = PolygonMode::Line;
  draw.state.lineMode = LineMode::Bresenham;
  draw.primitive({draw.vertex(2.5, 1.5), draw.vertex(12.5, 1.5), draw.vertex(2.5, 11.5)});
  EXPECT_EQ(draw.picture(),
            "........|..111111|..1.....|..1.....|..1.....|..1.....|..1....1|..1...1.");
  draw.geometry.clipMask = 1;
  draw.geometry.vertices[0].distances[0] = 1; // inside: x < 5.5
  draw.geometry.vertices[1].distances[0] = -7.0f / 3.0f;
  draw.geometry.vertices[2].distances[0] = 1;
  EXPECT_EQ(draw.picture(),
            "........|..1111..|..1..1..|..1..1..|..1..1..|..1..1..|..1..1..|..1..1..");
}

TEST(RasterPolygonMode, Points) {
  RasterForTest draw(8, 8);
  draw.state.polygonMode = PolygonMode::Point;
  draw.primitive(
      {draw.vertex(1.5, 1.5, 0.25), draw.vertex(6.5, 1.5, 0.5), draw.vertex(1.5, 12, 1)});
  draw.geometry.vertices[1].pointSize = 2;
  EXPECT_EQ(draw.picture(),
            ".....11.|.1...11.|........|........|........|........|........|........");
  draw.state.lineMode = LineMode::Bresenham; // says nothing of points
  draw.state.viewports[0] = {0, 0, 8, 8, 0, 1};
  draw.state.scissors[0] = draw.state.renderArea = {0, 0, 20, 20};
  draw.height = 14;
  EXPECT_EQ(draw.picture().find('1', 27), std::string::npos); // the vertex at y = 12 is outside
  const RasterPrimitive &primitive = draw.at(5, 1)->primitive;
  EXPECT_EQ(perspectiveI(primitive, 5.5, 1.5), 1);
  EXPECT_EQ(perspectiveJ(primitive, 5.5, 1.5), 0);
  EXPECT_EQ(primitive.depth.at(5.5, 1.5), 0.5);
}

TEST(RasterLine, LargePicturesTileByTile) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-10, 90);
  for (LineMode mode : {LineMode::Bresenham, LineMode::Rectangular})
    for (float width : {1.0f, 5.0f}) {
      RasterForTest draw(80, 80);
      draw.state.lineMode = mode;
      draw.state.lineWidth = width;
      for (unsigned k = 0; k < 50; ++k)
        draw.primitive(
            {draw.vertex(place(random), place(random)), draw.vertex(place(random), place(random))});
      EXPECT_EQ(draw.error(), "");
      EXPECT_GT(draw.fragments.size(), 1000u);
    }
}

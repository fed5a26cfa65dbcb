//===- RasterTriangleTest.cpp - coverage and planes of triangles -----------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/RasterForTest.h"
#include <chrono>
#include <cmath>
#include <random>

using namespace pal::device;

namespace {

void addTriangle(RasterForTest &draw, std::array<std::array<double, 2>, 3> corners) {
  std::vector<uint32_t> vertices;
  for (auto &corner : corners)
    vertices.push_back(draw.vertex(corner[0], corner[1]));
  draw.primitive(vertices);
}

std::string pictureOf(std::array<std::array<double, 2>, 3> corners, int width = 4, int height = 4) {
  RasterForTest draw(width, height);
  addTriangle(draw, corners);
  return draw.picture();
}

/// Four samples at the standard positions.
void useFourSamples(RasterState &state) {
  state.samples = 4;
  state.samplePositions[0] = {0.375f, 0.125f};
  state.samplePositions[1] = {0.875f, 0.375f};
  state.samplePositions[2] = {0.125f, 0.625f};
  state.samplePositions[3] = {0.625f, 0.875f};
}

} // namespace

TEST(RasterTriangle, TopAndLeftEdgesBelongToTheTriangle) {
  // All edges go through pixel centres; the rows end before the right edge and the bottom edge.
  EXPECT_EQ(pictureOf({{{0.5, 0.5}, {3.5, 0.5}, {0.5, 3.5}}}), "111.|11..|1...|....");
  EXPECT_EQ(pictureOf({{{3.5, 0.5}, {3.5, 3.5}, {0.5, 3.5}}}), "....|..1.|.11.|....");
  // Either orientation.
  EXPECT_EQ(pictureOf({{{0.5, 0.5}, {0.5, 3.5}, {3.5, 0.5}}}), "111.|11..|1...|....");
  EXPECT_EQ(pictureOf({{{3.5, 0.5}, {0.5, 3.5}, {3.5, 3.5}}}), "....|..1.|.11.|....");
  // The diagonal is a left edge here: with its pixels, but not its lower end.
  EXPECT_EQ(pictureOf({{{0.5, 0.5}, {3.5, 0.5}, {3.5, 3.5}}}), "111.|.11.|..1.|....");
  EXPECT_EQ(pictureOf({{{0.5, 0.5}, {3.5, 3.5}, {0.5, 3.5}}}), "....|1...|11..|....");
}

TEST(RasterTriangle, SubPixelsAreTwoHundredFiftySixths) {
  // The left edge is a 512th right of the pixel centres: rounds to even, onto them.
  EXPECT_EQ(pictureOf({{{0.5 + 1 / 512.0, 0}, {4, 0}, {0.5 + 1 / 512.0, 4}}}).substr(0, 4), "1111");
  EXPECT_EQ(pictureOf({{{0.5 + 1 / 256.0, 0}, {4, 0}, {0.5 + 1 / 256.0, 4}}}).substr(0, 4), ".111");
}

TEST(RasterTriangle, DegenerateTrianglesCoverNothing) {
  EXPECT_EQ(pictureOf({{{1, 1}, {1, 1}, {1, 1}}}), "....|....|....|....");
  EXPECT_EQ(pictureOf({{{0.5, 0.5}, {2.5, 2.5}, {3.5, 3.5}}}), "....|....|....|....");
}

TEST(RasterTriangle, EveryPixelOfAFanIsCoveredOnce) {
  std::mt19937 random(7);
  auto number = [&](double low, double high) {
    return low + (high - low) * double(random()) / 4294967296.0;
  };
  for (unsigned run = 0; run < 60; ++run) {
    RasterForTest draw(32, 32);
    if (run % 3 == 2)
      useFourSamples(draw.state);
    // Corners of the picture, and more points in order around a centre; half of them on centres of
    // pixels, so that edges hit samples.
    auto place = [&] {
      double value = number(1, 31);
      return run % 2 ? value : std::floor(value) + 0.5;
    };
    double centerX = place(), centerY = place();
    std::vector<std::array<double, 2>> around = {{0, 0}, {32, 0}, {32, 32}, {0, 32}};
    for (unsigned k = 0; k < 20; ++k) {
      double at = number(0, 32), edge = random() % 4;
      if (!(run % 2))
        at = std::floor(at) + 0.5;
      around.push_back(edge == 0   ? std::array{at, 0.0}
                       : edge == 1 ? std::array{32.0, at}
                       : edge == 2 ? std::array{at, 32.0}
                                   : std::array{0.0, at});
    }
    std::sort(around.begin(), around.end(), [&](const auto &a, const auto &b) {
      return std::atan2(a[1] - centerY, a[0] - centerX) <
             std::atan2(b[1] - centerY, b[0] - centerX);
    });
    uint32_t center = draw.vertex(centerX, centerY);
    std::vector<uint32_t> vertices;
    for (auto &point : around)
      vertices.push_back(draw.vertex(point[0], point[1]));
    for (size_t k = 0; k < vertices.size(); ++k)
      draw.primitive({center, vertices[k], vertices[(k + 1) % vertices.size()]});
    ASSERT_EQ(draw.error(), "");
    unsigned all = (1u << draw.state.samples) - 1;
    for (int y = 0; y < 32; ++y) {
      for (int x = 0; x < 32; ++x) {
        unsigned seen = 0;
        for (const auto &fragment : draw.fragments[{y, x}]) {
          EXPECT_EQ(seen & fragment.coverage, 0u) << "twice: " << x << ", " << y;
          seen |= fragment.coverage;
        }
        EXPECT_EQ(seen, all) << "not all: " << x << ", " << y << " run " << run;
      }
    }
  }
}

TEST(RasterTriangle, CoverageIsOfSamples) {
  RasterForTest draw(2, 2);
  useFourSamples(draw.state);
  // Left of x = 0.5: samples 0 (0.375) and 2 (0.125) of pixel 0.
  addTriangle(draw, {{{-3.5, 0}, {0.5, 0}, {0.5, 8}}});
  addTriangle(draw, {{{-3.5, 0}, {0.5, 8}, {-3.5, 8}}});
  ASSERT_EQ(draw.error(), "");
  ASSERT_TRUE(draw.at(0, 0));
  EXPECT_EQ(draw.at(0, 0)->coverage, 0b0101);
  EXPECT_EQ(draw.at(1, 0), nullptr);
  draw.state.sampleMask = 0b1100;
  ASSERT_EQ(draw.error(), "");
  EXPECT_EQ(draw.at(0, 0)->coverage, 0b0100);
  draw.state.sampleMask = 0b1010;
  ASSERT_EQ(draw.error(), "");
  EXPECT_EQ(draw.at(0, 0), nullptr);
}

TEST(RasterTriangle, FullyCoveredPixels) {
  RasterForTest draw(8, 2);
  addTriangle(draw, {{{1.25, -20}, {6, -20}, {6, 20}}});
  ASSERT_EQ(draw.error(), "");
  // The long edge passes (3.625, 0) .. (3.86, 2): pixel 3 is partly covered, 4 and 5 wholly.
  EXPECT_EQ(draw.at(3, 0), nullptr);
  ASSERT_TRUE(draw.at(4, 0));
  EXPECT_TRUE(draw.at(4, 0)->isFull);
  EXPECT_TRUE(draw.at(5, 1)->isFull);
  addTriangle(draw, {{{1.25, -20}, {6.75, -20}, {6.75, 20}}});
  ASSERT_EQ(draw.error(), "");
  ASSERT_TRUE(draw.at(6, 0));
  EXPECT_FALSE(draw.at(6, 0)->isFull);
}

TEST(RasterTriangle, ScissorRenderAreaAndViewportCut) {
  RasterForTest draw(8, 4);
  addTriangle(draw, {{{-100, -100}, {300, -100}, {-100, 300}}});
  EXPECT_EQ(draw.picture(), "11111111|11111111|11111111|11111111");
  draw.state.scissors[0] = {1, 1, 3, 100};
  EXPECT_EQ(draw.picture(), "........|.111....|.111....|.111....");
  draw.state.renderArea = {2, 0, 6, 3};
  EXPECT_EQ(draw.picture(), "........|..11....|..11....|........");
  draw.state.scissors[0] = draw.state.renderArea = {-5, -5, 100, 100};
  draw.state.viewports[0] = {3, 1, 4, 2, 0, 1};
  EXPECT_EQ(draw.picture(), "........|...1111.|...1111.|........");
  // Between pixels: the last column's centre is outside, the first one's inside.
  draw.state.viewports[0] = {2.25f, 1, 4, 2, 0, 1};
  EXPECT_EQ(draw.picture(), "........|..1111..|..1111..|........");
  draw.state.viewports[0] = {2.75f, 1, 4, 2, 0, 1};
  EXPECT_EQ(draw.picture(), "........|...1111.|...1111.|........");
  draw.state.viewports[0] = {0, 0, NAN, 4, 0, 1};
  EXPECT_EQ(draw.picture(), "........|........|........|........");
}

TEST(RasterTriangle, ViewportsAndLayersComeFromTheProvokingVertex) {
  RasterForTest draw(4, 2);
  draw.state.viewports[1] = {2, 0, 2, 2, 0.25f, 0.75f};
  draw.state.scissors[1] = draw.state.scissors[0];
  PrimitiveOutput &primitive =
      draw.primitive({draw.clipVertex({-1, -1, 0, 1}), draw.clipVertex({3, -1, 0, 1}),
                      draw.clipVertex({-1, 3, 0, 1})});
  draw.geometry.vertices[2].viewport = 1;
  draw.geometry.vertices[2].layer = 5;
  EXPECT_EQ(draw.picture(), "1111|1111");
  primitive.provoking = 2;
  EXPECT_EQ(draw.picture(), "..11|..11");
  EXPECT_EQ(draw.at(2, 0)->primitive.layer, 5u);
  EXPECT_EQ(draw.at(2, 0)->primitive.viewport, 1u);
  EXPECT_EQ(draw.at(2, 0)->primitive.depth.at(2.5, 0.5), 0.25);
  EXPECT_EQ(draw.at(2, 0)->primitive.maxDepth, 0.75f);
  // Of the primitive itself; a viewport that does not exist is 0.
  primitive.hasOwnViewport = primitive.hasOwnLayer = true;
  primitive.viewport = 16;
  primitive.layer = 3;
  EXPECT_EQ(draw.picture(), "1111|1111");
  EXPECT_EQ(draw.at(0, 0)->primitive.layer, 3u);
}

TEST(RasterTriangle, FacingAndCulling) {
  RasterForTest draw(4, 4);
  // Clockwise on the screen: the specification's area is negative.
  addTriangle(draw, {{{0, 0}, {4, 0}, {0, 4}}});
  ASSERT_EQ(draw.error(), "");
  EXPECT_FALSE(draw.at(0, 0)->primitive.frontFacing);
  draw.state.frontClockwise = true;
  ASSERT_EQ(draw.error(), "");
  EXPECT_TRUE(draw.at(0, 0)->primitive.frontFacing);
  draw.state.cullFront = true;
  ASSERT_EQ(draw.error(), "");
  EXPECT_TRUE(draw.fragments.empty());
  draw.state.cullFront = false;
  draw.state.cullBack = true;
  ASSERT_EQ(draw.error(), "");
  EXPECT_FALSE(draw.fragments.empty());
  // A negative height turns the picture over.
  draw.state.viewports[0] = {0, 4, 4, -4, 0, 1};
  ASSERT_EQ(draw.error(), "");
  EXPECT_TRUE(draw.fragments.empty());
  draw.state.cullBack = false;
  EXPECT_EQ(draw.picture(), "....|1...|11..|111.");
}

TEST(RasterTriangle, PlanesGiveTheVerticesTheirValues) {
  RasterForTest draw(16, 16);
  std::array<std::array<double, 4>, 3> places = {
      {{1, 2, 0.25, 1}, {14, 3, 0.5, 4}, {4, 15, 0.75, 0.5}}};
  std::vector<uint32_t> vertices;
  for (auto &place : places)
    vertices.push_back(draw.vertex(place[0], place[1], place[2], place[3]));
  draw.primitive(vertices);
  ASSERT_EQ(draw.error(), "");
  const RasterPrimitive &primitive = draw.at(5, 5)->primitive;
  for (unsigned k = 0; k < 3; ++k) {
    double x = places[k][0], y = places[k][1];
    EXPECT_NEAR(primitive.depth.at(x, y), places[k][2], 1e-6);
    EXPECT_NEAR(primitive.inverseW.at(x, y), 1 / places[k][3], 1e-6);
    EXPECT_NEAR(perspectiveI(primitive, x, y), k == 1, 1e-5);
    EXPECT_NEAR(perspectiveJ(primitive, x, y), k == 2, 1e-5);
    EXPECT_NEAR(primitive.linearI.at(x, y), k == 1, 1e-6);
    EXPECT_NEAR(primitive.linearJ.at(x, y), k == 2, 1e-6);
  }
  // Half way from vertex 0 to 1 in the framebuffer: i = (0.5 / 4) / (0.5 / 1 + 0.5 / 4).
  EXPECT_NEAR(perspectiveI(primitive, 7.5, 2.5), 0.2, 1e-5);
  EXPECT_NEAR(primitive.linearI.at(7.5, 2.5), 0.5, 1e-5);
}

TEST(RasterTriangle, EqualDepthsStayExact) {
  RasterForTest draw(64, 64);
  draw.primitive(
      {draw.vertex(1.3, 2.7, 0.1f), draw.vertex(61.1, 7.9, 0.1f), draw.vertex(17.3, 59.9, 0.1f)});
  ASSERT_EQ(draw.error(), "");
  for (const auto &[place, list] : draw.fragments)
    EXPECT_EQ(list[0].primitive.depth.at(place.second + 0.5, place.first + 0.5), double(0.1f));
}

TEST(RasterTriangle, ConservativeOverestimateTouches) {
  RasterForTest draw(6, 6);
  draw.state.conservativeOverestimate = true;
  addTriangle(draw, {{{2.25, 2.25}, {2.75, 2.25}, {2.25, 2.375}}});
  EXPECT_EQ(draw.picture(), "......|......|..1...|......|......|......");
  EXPECT_FALSE(draw.at(2, 2)->isFull);
  draw.geometry = {};
  addTriangle(draw, {{{1.5, 1.5}, {4.5, 1.5}, {1.5, 4.5}}});
  EXPECT_EQ(draw.picture(), "......|.1111.|.1111.|.111..|.11...|......");
  // A corner exactly at the corner of four pixels touches all of them.
  draw.geometry = {};
  addTriangle(draw, {{{3, 3}, {3.5, 3}, {3, 3.5}}});
  EXPECT_EQ(draw.picture(), "......|......|..11..|..11..|......|......");
}

TEST(RasterTriangle, DepthBias) {
  RasterForTest draw(8, 8);
  draw.state.depthBiasEnable = true;
  draw.state.depthBiasConstant = 3;
  auto addSloped = [&](double z) {
    draw.geometry = {};
    // dz/dx = 1/64, dz/dy = -1/32.
    draw.primitive(
        {draw.vertex(0, 0, z), draw.vertex(8, 0, z + 0.125), draw.vertex(0, 8, z - 0.25)});
  };
  auto biasOf = [&](double z) {
    addSloped(z);
    EXPECT_EQ(draw.error(), "");
    return draw.at(0, 0)->primitive.depth.at(0, 0) - z;
  };
  draw.depthFormat = pal::formats::Format::X16_Unorm;
  EXPECT_NEAR(biasOf(0.5), 3 / 65536.0, 1e-9);
  draw.depthFormat = pal::formats::Format::X24Y8_Unorm;
  EXPECT_NEAR(biasOf(0.5), 3 / 16777216.0, 1e-12);
  // The largest depth is 0.625, whose exponent is -1; then 0.375, -2.
  draw.depthFormat = pal::formats::Format::X32_Float;
  EXPECT_NEAR(biasOf(0.5), 3 * std::ldexp(1.0, -24), 1e-12);
  EXPECT_NEAR(biasOf(0.25), 3 * std::ldexp(1.0, -25), 1e-12);
  draw.depthFormat = pal::formats::Format::X16_Unorm;
  draw.state.depthBiasConstant = 0;
  draw.state.depthBiasSlope = 2;
  EXPECT_NEAR(biasOf(0.5), 2.0 / 32, 1e-6);
  draw.state.depthBiasClamp = 0.01f;
  EXPECT_NEAR(biasOf(0.5), 0.01, 1e-6);
  draw.state.depthBiasSlope = -2;
  EXPECT_NEAR(biasOf(0.5), -2.0 / 32, 1e-6);
  draw.state.depthBiasClamp = -0.01f;
  EXPECT_NEAR(biasOf(0.5), -0.01, 1e-6);
  draw.state.depthBiasEnable = false;
  EXPECT_NEAR(biasOf(0.5), 0, 1e-9);
}

TEST(RasterTriangle, NothingIsDrawnWithRasterizerDiscard) {
  RasterForTest draw(4, 4);
  addTriangle(draw, {{{0, 0}, {4, 0}, {0, 4}}});
  draw.state.rasterizerDiscard = true;
  EXPECT_EQ(draw.picture(), "....|....|....|....");
  EXPECT_EQ(draw.counts.clippingInvocations, 0u);
}

TEST(RasterTriangle, AFullScreenIsQuick) {
  RasterForTest draw(256, 256);
  addTriangle(draw, {{{0, 0}, {512, 0}, {0, 512}}});
  uint64_t covered = 0;
  auto begin = std::chrono::steady_clock::now();
  for (unsigned run = 0; run < 10; ++run)
    llvm::cantFail(rasterize(
        draw.geometry, draw.state, draw.depthFormat,
        [&](const RasterPrimitive &, const RasterQuad &quad) { covered += quad.coverage[3]; },
        draw.counts));
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(covered, 10u * 128 * 128);
  EXPECT_LT(seconds.count(), 1.0); // 20 ms expected; for machines under load
}

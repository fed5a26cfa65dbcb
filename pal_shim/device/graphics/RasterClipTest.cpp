//===- RasterClipTest.cpp - clipping and culling by distances --------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/RasterForTest.h"
#include <cmath>
#include <limits>
#include <random>

using namespace pal::device;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Covers the picture with a triangle whose z goes from \p left to \p right over its width, with
/// w = \p w.
RasterForTest depthRamp(float left, float right, float w = 1) {
  RasterForTest draw(8, 1);
  float slope = (right - left) / 2;
  auto add = [&](float x, float y) {
    return draw.clipVertex({x * w, y * w, (left + (x + 1) * slope) * w, w});
  };
  draw.primitive({add(-1, -1), add(7, -1), add(-1, 7)});
  return draw;
}

/// Every position in clip space at which the original triangle lies on the ray through a pixel.
struct Homogeneous {
  std::array<std::array<double, 4>, 3> vertices;
  /// Weights of the vertices where the pixel sees the plane of the triangle; sum 1.
  bool at(const RasterForTest &draw, double x, double y, std::array<double, 3> &weights) const {
    double ndcX = 2 * x / draw.width - 1, ndcY = 2 * y / draw.height - 1;
    std::array<double, 3> p, q; // x - ndcX w and y - ndcY w, 0 at the place
    for (unsigned k = 0; k < 3; ++k) {
      p[k] = vertices[k][0] - ndcX * vertices[k][3];
      q[k] = vertices[k][1] - ndcY * vertices[k][3];
    }
    for (unsigned k = 0; k < 3; ++k)
      weights[k] = p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3];
    double sum = weights[0] + weights[1] + weights[2];
    for (double &weight : weights)
      weight /= sum;
    return std::isfinite(weights[0]);
  }
};

} // namespace

TEST(RasterClip, NearAndFarPlanes) {
  EXPECT_EQ(depthRamp(0, 1).picture(), "11111111");
  EXPECT_EQ(depthRamp(-1, 1).picture(), "....1111");
  EXPECT_EQ(depthRamp(-1, 1, 4).picture(), "....1111");
  EXPECT_EQ(depthRamp(0, 2).picture(), "1111....");
  EXPECT_EQ(depthRamp(-1, 3).picture(), "..11....");
  RasterForTest draw = depthRamp(-2, 2);
  draw.state.negativeOneToOne = true;
  EXPECT_EQ(draw.picture(), "..1111..");
  EXPECT_NEAR(draw.at(3, 0)->primitive.depth.at(2, 0), 0, 1e-6);
  EXPECT_NEAR(draw.at(3, 0)->primitive.depth.at(6, 0), 1, 1e-6);
  draw.state.depthClipEnable = false;
  EXPECT_EQ(draw.picture(), "11111111");
  EXPECT_NEAR(draw.at(0, 0)->primitive.depth.at(0, 0), -0.5, 1e-6);
  EXPECT_EQ(draw.counts.clippingPrimitives, 1u);
}

TEST(RasterClip, SidesCutAtTheViewport) {
  RasterForTest draw(8, 8);
  draw.state.viewports[0] = {2, 3, 4, 2, 0, 1};
  draw.primitive({draw.clipVertex({-9, -9, 0, 1}), draw.clipVertex({30, -9, 0, 1}),
                  draw.clipVertex({-9, 30, 0, 1})});
  EXPECT_EQ(draw.picture(),
            "........|........|........|..1111..|..1111..|........|........|........");
  // Wholly outside of one side.
  draw.geometry = {};
  draw.primitive({draw.clipVertex({1.5, 0, 0, 1}), draw.clipVertex({3, 0, 0, 1}),
                  draw.clipVertex({1.5, 3, 0, 1})});
  ASSERT_EQ(draw.error(), "");
  EXPECT_TRUE(draw.fragments.empty());
  EXPECT_EQ(draw.counts.clippingInvocations, 1u);
  EXPECT_EQ(draw.counts.clippingPrimitives, 0u);
}

TEST(RasterClip, WeightsReferToTheOriginalTriangle) {
  std::mt19937 random(11);
  auto number = [&] { return double(random()) / 2147483648.0 - 1; };
  unsigned behind = 0, compared = 0;
  for (unsigned run = 0; run < 500; ++run) {
    RasterForTest draw(16, 16);
    draw.state.depthClipEnable = run % 2;
    Homogeneous triangle;
    std::vector<uint32_t> vertices;
    for (auto &vertex : triangle.vertices) {
      std::array<float, 4> position;
      for (unsigned k = 0; k < 4; ++k)
        vertex[k] = position[k] = float(k == 3 ? number() + 0.4 : number() * 2);
      if (run % 7 == 0 && &vertex == &triangle.vertices[1])
        vertex[3] = position[3] = 0;
      vertices.push_back(draw.clipVertex(position));
      behind += position[3] <= 0;
    }
    draw.primitive(vertices);
    ASSERT_EQ(draw.error(), "");
    for (int y = 0; y < 16; ++y) {
      for (int x = 0; x < 16; ++x) {
        std::array<double, 3> weights;
        if (!triangle.at(draw, x + 0.5, y + 0.5, weights))
          continue;
        double w = 0, z = 0, least = std::min({weights[0], weights[1], weights[2]});
        for (unsigned k = 0; k < 3; ++k) {
          w += weights[k] * triangle.vertices[k][3];
          z += weights[k] * triangle.vertices[k][2];
        }
        const RasterForTest::Fragment *fragment = draw.at(x, y);
        bool isInside = least >= 0 && w > 0 && (run % 2 == 0 || (z >= 0 && z <= w));
        // Near edges and planes, rounding of coordinates decides.
        double margin = std::min(std::abs(least), std::abs(w));
        if (run % 2)
          margin = std::min({margin, std::abs(z), std::abs(w - z)});
        if (margin < 0.05)
          continue;
        ASSERT_EQ(fragment != nullptr, isInside) << "run " << run << " at " << x << ", " << y;
        if (!fragment)
          continue;
        ++compared;
        double px = x + 0.5, py = y + 0.5;
        EXPECT_NEAR(perspectiveI(fragment->primitive, px, py), weights[1], 1e-6);
        EXPECT_NEAR(perspectiveJ(fragment->primitive, px, py), weights[2], 1e-6);
        EXPECT_NEAR(fragment->primitive.inverseW.at(px, py) * w, 1, 1e-6);
        EXPECT_NEAR(fragment->primitive.depth.at(px, py), z / w, 1e-6 * (1 + std::abs(z / w)));
      }
    }
  }
  EXPECT_GT(behind, 200u);
  EXPECT_GT(compared, 2000u);
}

TEST(RasterClip, LinearWeightsFollowTheProjections) {
  // All vertices in front, one beyond the far plane: clipping must not change them.
  RasterForTest draw(16, 16);
  draw.primitive(
      {draw.vertex(0, 0, 0.5, 1), draw.vertex(16, 0, 0.5, 2), draw.vertex(0, 16, 1.5, 3)});
  ASSERT_EQ(draw.error(), "");
  EXPECT_TRUE(draw.at(2, 2));
  EXPECT_FALSE(draw.at(2, 10));
  EXPECT_NEAR(draw.at(2, 2)->primitive.linearI.at(4, 4), 0.25, 1e-6);
  EXPECT_NEAR(draw.at(2, 2)->primitive.linearJ.at(4, 4), 0.25, 1e-6);
  // A vertex beside the viewer has no projection; the weights still agree where clipping cut.
  draw.geometry = {};
  draw.state.depthClipEnable = false;
  draw.primitive({draw.clipVertex({-1, -1, 0, 1}), draw.clipVertex({0, -1, 0, 1}),
                  draw.clipVertex({0, 1, 0, 0})});
  ASSERT_EQ(draw.error(), "");
  ASSERT_TRUE(draw.at(2, 2));
  EXPECT_TRUE(std::isfinite(draw.at(2, 2)->primitive.linearJ.at(2.5, 2.5)));
  EXPECT_NEAR(draw.at(2, 2)->primitive.linearI.at(4, 0), 0.5, 1e-6);
}

TEST(RasterClip, UserPlanes) {
  RasterForTest draw = depthRamp(0.5, 0.5);
  // Distance of vertices at x = -1, 7, -1: x + 0.25, then 0.5 - x.
  float distances[2][3] = {{-0.75f, 7.25f, -0.75f}, {1.5f, -6.5f, 1.5f}};
  for (unsigned plane = 0; plane < 2; ++plane)
    for (unsigned k = 0; k < 3; ++k)
      draw.geometry.vertices[k].distances[plane ? 6 : 1] = distances[plane][k];
  EXPECT_EQ(draw.picture(), "11111111");
  draw.geometry.clipMask = 1 << 1;
  EXPECT_EQ(draw.picture(), "...11111");
  draw.geometry.clipMask = 1 << 6;
  EXPECT_EQ(draw.picture(), "111111..");
  draw.geometry.clipMask = 1 << 1 | 1 << 6;
  EXPECT_EQ(draw.picture(), "...111..");
  EXPECT_NEAR(perspectiveI(draw.at(4, 0)->primitive, 4, 0), 0.125, 1e-6);
  // Infinite distances are inside or outside; what is not a number draws nothing.
  for (unsigned k = 0; k < 3; ++k)
    draw.geometry.vertices[k].distances[1] = infinity;
  EXPECT_EQ(draw.picture(), "111111..");
  draw.geometry.vertices[2].distances[1] = -infinity;
  EXPECT_EQ(draw.picture(), "111111..");
  draw.geometry.vertices[2].distances[1] = NAN;
  EXPECT_EQ(draw.picture(), "........");
}

TEST(RasterClip, CullDistances) {
  RasterForTest draw = depthRamp(0.5, 0.5);
  draw.geometry.cullMask = 1 << 2 | 1 << 5;
  auto set = [&](unsigned plane, float a, float b, float c) {
    float values[3] = {a, b, c};
    for (unsigned k = 0; k < 3; ++k)
      draw.geometry.vertices[k].distances[plane] = values[k];
  };
  EXPECT_EQ(draw.picture(), "11111111");
  set(2, -1, -1, 0);
  set(5, 1, -1, -1);
  EXPECT_EQ(draw.picture(), "11111111"); // not all vertices are out by one distance
  set(5, -1, -1, -1);
  EXPECT_EQ(draw.picture(), "........");
  set(5, -1, -1, NAN);
  EXPECT_EQ(draw.picture(), "........");
  draw.geometry.cullMask = 1 << 2;
  EXPECT_EQ(draw.picture(), "11111111");
}

TEST(RasterClip, LinesAndPointsByUserPlanes) {
  RasterForTest draw(8, 1);
  draw.state.lineMode = LineMode::Bresenham;
  draw.primitive({draw.vertex(0.5, 0.5), draw.vertex(7.5, 0.5)});
  draw.primitive({draw.vertex(6.5, 0.5)});
  draw.geometry.clipMask = 1;
  draw.geometry.vertices[0].distances[0] = 3;
  draw.geometry.vertices[1].distances[0] = -4;
  draw.geometry.vertices[2].distances[0] = 0;
  EXPECT_EQ(draw.picture(), "111...1.");
  draw.geometry.vertices[2].distances[0] = -0.001f;
  EXPECT_EQ(draw.picture(), "111.....");
  draw.geometry.cullMask = 1;
  EXPECT_EQ(draw.picture(), "111.....");
  draw.geometry.vertices[0].distances[0] = -1;
  EXPECT_EQ(draw.picture(), "........");
}

TEST(RasterClip, TrianglesThatShareAClippedEdgeMeetExactly) {
  std::mt19937 random(5);
  auto number = [&] { return float(double(random()) / 2147483648.0 - 1); };
  for (unsigned run = 0; run < 200; ++run) {
    RasterForTest draw(32, 32);
    draw.state.depthClipEnable = run & 1;
    draw.geometry.clipMask = run & 2 ? 1 : 0;
    // A big quad around the picture, cut along a diagonal that goes through planes.
    std::array<float, 2> corners[4] = {{-20, -20}, {20, -20}, {20, 20}, {-20, 20}};
    for (auto &corner : corners) {
      float w = 1 + number() * 0.9f;
      uint32_t vertex = draw.clipVertex(
          {(corner[0] + number() * 15) * w, (corner[1] + number() * 15) * w, number() * 3 * w, w});
      draw.geometry.vertices[vertex].distances[0] = number();
    }
    draw.primitive({0, 1, 2});
    draw.primitive({2, 3, 0});
    ASSERT_EQ(draw.error(), "");
    for (const auto &[place, list] : draw.fragments)
      EXPECT_EQ(list.size(), 1u) << "run " << run << " at " << place.second << ", " << place.first;
    if ((run & 3) == 0) // nothing but the sides clips: all pixels are covered
      EXPECT_EQ(draw.fragments.size(), 32u * 32) << run;
  }
}

TEST(RasterClip, HostileNumbersEndAndStayInside) {
  std::mt19937 random(9);
  const float strange[] = {0,      -0.0f, 1e-38f,  1e-45f,   1,        -1,        1e10f,
                           -1e10f, 1e30f, 3.4e38f, -3.4e38f, infinity, -infinity, NAN};
  auto number = [&]() -> float {
    if (random() % 3 == 0)
      return strange[random() % std::size(strange)];
    return float(double(random()) / 1073741824.0 - 2);
  };
  for (unsigned run = 0; run < 3000; ++run) {
    RasterForTest draw(16, 16);
    RasterState &state = draw.state;
    state.depthClipEnable = random() % 2;
    state.polygonMode = PolygonMode(random() % 3);
    state.lineMode = LineMode(random() % 3);
    state.lineWidth = random() % 2 ? 1 : number();
    state.stippleEnable = random() % 2;
    state.stippleFactor = random() % 300;
    state.conservativeOverestimate = random() % 4 == 0;
    state.depthBiasEnable = true;
    state.depthBiasConstant = number();
    state.depthBiasSlope = number();
    state.depthBiasClamp = number();
    draw.depthFormat = pal::formats::Format::X32_Float;
    if (random() % 4 == 0)
      state.viewports[0] = {number(), number(), number() * 16, number() * 16, number(), number()};
    if (random() % 4 == 0)
      state.scissors[0] = {-5, INT32_MIN, 0xFFFFFFFF, 0xFFFFFFFF};
    draw.geometry.clipMask = uint8_t(random());
    draw.geometry.cullMask = uint8_t(random() & random());
    std::vector<uint32_t> vertices;
    for (unsigned k = 0; k < 1 + run % 3; ++k) {
      vertices.push_back(draw.clipVertex({number(), number(), number(), number()}));
      VertexOutput &vertex = draw.geometry.vertices.back();
      vertex.pointSize = number() * 4;
      vertex.viewport = random() % 3 ? 0 : random();
      for (float &distance : vertex.distances)
        distance = random() % 2 ? 1 : number();
    }
    PrimitiveOutput &primitive = draw.primitive(vertices);
    if (run % 50 == 0)
      primitive.vertices[0] = 1000;
    if (run % 51 == 0)
      primitive.vertexCount = uint8_t(random());
    if (run % 52 == 0)
      primitive.provoking = 200;
    ASSERT_EQ(draw.error(), "");
    for (const auto &[place, list] : draw.fragments)
      ASSERT_TRUE(place.first >= 0 && place.first < 16 && place.second >= 0 && place.second < 16);
  }
}

//===- BvhTest.cpp - tests of rays against nodes ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Random rays against formulas in double precision: slabs for boxes, Cramer's rule for triangles.
/// Rays near an edge or a tie are not judged.
#include "pal_shim/device/memory/TestbedForTest.h"
#include "pal_shim/formats/Formats.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace pal::device;
using namespace pal::device::test;

namespace {

constexpr const char *rayTargets[] = {"gfx1030", "gfx1100", "gfx1150"};
constexpr uint32_t none = 0xFFFFFFFF;
constexpr float infinity = std::numeric_limits<float>::infinity(),
                nan = std::numeric_limits<float>::quiet_NaN();

struct Ray {
  float extent;
  float origin[3], direction[3], inverse[3];
};

/// Nodes in memory, and a ray for each lane. Pointer in v8, v9; the ray in v10..v19; results in
/// v[4:7]; T# in s[0:3].
struct RayBed : Testbed {
  explicit RayBed(const char *target) : Testbed(target) {
    nodes = allocate(64 * 256);
    setResource(0x80000000 | 6u << 23, 0x810003FF);
  }
  void setResource(uint32_t word1, uint32_t word3) {
    const uint32_t words[] = {0, word1, 0xFFFFFFFF, word3};
    setWords(0, words);
  }
  /// The node of a lane; pointers to it.
  GpuAddress place(unsigned lane) const { return nodes + 256 * lane; }
  void setPointer(unsigned lane, unsigned type, uint64_t flags = 0) {
    setAddress(8, lane, place(lane) >> 3 | type | flags << 54);
  }
  void setRay(unsigned lane, const Ray &ray) {
    setF(10, lane, ray.extent);
    for (unsigned i = 0; i < 3; ++i) {
      setF(11 + i, lane, ray.origin[i]);
      setF(14 + i, lane, ray.direction[i]);
      setF(17 + i, lane, ray.inverse[i]);
    }
  }
  void setFloats(unsigned lane, unsigned offset, llvm::ArrayRef<float> values) {
    for (float value : values) {
      at<float>(place(lane) + offset) = value;
      offset += 4;
    }
  }
  std::string test() { return run("image_bvh64_intersect_ray v[4:7], v[8:19], s[0:3]"); }
  uint32_t result(unsigned index, unsigned lane) { return v(4 + index, lane); }
  float number(unsigned index, unsigned lane) { return vf(4 + index, lane); }

  GpuAddress nodes;
};

struct Random {
  std::mt19937 engine{7};
  float number(float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(engine);
  }
  Ray ray() {
    Ray ray;
    ray.extent = number(0, 1) < 0.3f ? infinity : number(0.5f, 2);
    for (unsigned i = 0; i < 3; ++i) {
      ray.origin[i] = number(-4, 4);
      ray.direction[i] = number(-1.5f, 1.5f) - ray.origin[i];
      ray.inverse[i] = 1 / ray.direction[i];
    }
    return ray;
  }
};

using Bounds = std::array<float, 6>;

/// Where the ray is in the box, from 0 on to its extent; empty when it is not. `isSure` stays true
/// where no rounding can change that.
std::optional<double> entryOf(const Ray &ray, const Bounds &box, bool &isSure) {
  double entry = 0, exit = ray.extent;
  for (unsigned i = 0; i < 3; ++i) {
    const double a = (double(box[i]) - ray.origin[i]) / ray.direction[i],
                 b = (double(box[i + 3]) - ray.origin[i]) / ray.direction[i];
    entry = std::max(entry, std::min(a, b));
    exit = std::min(exit, std::max(a, b));
  }
  isSure &= std::abs(exit - entry) > 1e-4;
  return entry < exit ? std::optional(entry) : std::nullopt;
}

/// What a box must give: ids, nearest first.
std::array<uint32_t, 4> expectedChildren(const Ray &ray, const std::array<Bounds, 4> &boxes,
                                         bool &isSure) {
  std::vector<std::pair<double, uint32_t>> hits;
  for (unsigned child = 0; child < 4; ++child)
    if (auto entry = entryOf(ray, boxes[child], isSure))
      hits.push_back({*entry, 8 * child + 64});
  llvm::sort(hits);
  for (size_t i = 1; i < hits.size(); ++i)
    isSure &= hits[i].first - hits[i - 1].first > 1e-4;
  std::array<uint32_t, 4> ids = {none, none, none, none};
  for (size_t i = 0; i < hits.size(); ++i)
    ids[i] = hits[i].second;
  return ids;
}

/// \p half: bounds that are halves.
std::array<Bounds, 4> randomBoxes(Random &random, bool half) {
  std::array<Bounds, 4> boxes;
  for (Bounds &box : boxes)
    for (unsigned i = 0; i < 3; ++i) {
      box[i] = random.number(-2, 1);
      box[i + 3] = box[i] + random.number(0.1f, 2);
      for (float *bound : {&box[i], &box[i + 3]})
        if (half)
          *bound = std::round(*bound * 64) / 64;
    }
  return boxes;
}

void storeBoxes(RayBed &bed, unsigned lane, const std::array<Bounds, 4> &boxes, bool half) {
  for (unsigned child = 0; child < 4; ++child) {
    bed.at<uint32_t>(bed.place(lane) + 4 * child) = 8 * child + 64;
    if (!half)
      bed.setFloats(lane, 16 + 24 * child, boxes[child]);
    for (unsigned i = 0; half && i < 6; ++i)
      bed.at<_Float16>(bed.place(lane) + 16 + 12 * child + 2 * i) = _Float16(boxes[child][i]);
  }
}

TEST(Bvh, Boxes) {
  for (const char *target : rayTargets)
    for (bool half : {false, true}) {
      RayBed bed(target);
      Random random;
      unsigned judged = 0;
      for (unsigned round = 0; round < 30; ++round) {
        std::array<uint32_t, 4> expected[32];
        bool isSure[32];
        for (unsigned lane = 0; lane < 32; ++lane) {
          const Ray ray = random.ray();
          const std::array<Bounds, 4> boxes = randomBoxes(random, half);
          isSure[lane] = true;
          expected[lane] = expectedChildren(ray, boxes, isSure[lane]);
          storeBoxes(bed, lane, boxes, half);
          bed.setPointer(lane, half ? 4 : 5);
          bed.setRay(lane, ray);
        }
        bed.setExec(0xFFFFFFFF);
        ASSERT_EQ(bed.test(), "");
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned i = 0; isSure[lane] && i < 4; ++i) {
            EXPECT_EQ(bed.result(i, lane), expected[lane][i]) << target << " child " << i;
            ++judged;
          }
      }
      EXPECT_GT(judged, 3000u);
    }
}

double determinant(const double (&a)[3], const double (&b)[3], const double (&c)[3]) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

struct Solution {
  double t, u, v, denominator; ///< weights of vertices 1 and 2; positive: seen from the front
};

/// origin + t direction = v0 + u (v1 - v0) + v (v2 - v0), by Cramer's rule.
Solution solve(const Ray &ray, const float *vertices) {
  double e1[3], e2[3], d[3], s[3];
  for (unsigned i = 0; i < 3; ++i) {
    e1[i] = double(vertices[3 + i]) - vertices[i];
    e2[i] = double(vertices[6 + i]) - vertices[i];
    d[i] = -double(ray.direction[i]);
    s[i] = double(ray.origin[i]) - vertices[i];
  }
  const double all = determinant(d, e1, e2);
  return {determinant(s, e1, e2) / all, determinant(d, s, e2) / all, determinant(d, e1, s) / all,
          all};
}

void expectTriangle(RayBed &bed, unsigned lane, const Solution &s, const char *target) {
  const double margin = std::min({s.u, s.v, 1 - s.u - s.v, s.t});
  if (std::abs(margin) < 1e-3 || std::abs(s.denominator) < 1e-2)
    return;
  const float t = bed.number(0, lane), denominator = bed.number(1, lane);
  if (margin < 0) {
    EXPECT_EQ(t, infinity) << target;
    EXPECT_EQ(denominator, 1.0f);
    return;
  }
  EXPECT_EQ(denominator > 0, s.denominator > 0) << target;
  EXPECT_NEAR(t / denominator, s.t, 1e-4 * (1 + s.t)) << target;
  EXPECT_NEAR(bed.number(2, lane) / denominator, s.u, 1e-4) << target;
  EXPECT_NEAR(bed.number(3, lane) / denominator, s.v, 1e-4) << target;
}

TEST(Bvh, Triangles) {
  for (const char *target : rayTargets) {
    RayBed bed(target);
    Random random;
    unsigned hits = 0;
    for (unsigned round = 0; round < 60; ++round) {
      Solution solutions[32];
      for (unsigned lane = 0; lane < 32; ++lane) {
        const Ray ray = random.ray();
        float vertices[12];
        for (float &x : vertices)
          x = random.number(-2, 2);
        // The second triangle of a node has vertices 1, 3 and 2.
        const bool second = lane & 1;
        float used[9];
        constexpr unsigned order[2][3] = {{0, 1, 2}, {1, 3, 2}};
        for (unsigned i = 0; i < 9; ++i)
          used[i] = vertices[3 * order[second][i / 3] + i % 3];
        solutions[lane] = solve(ray, used);
        bed.setFloats(lane, 0, vertices);
        bed.at<uint32_t>(bed.place(lane) + 60) = second ? 0x900 : 9;
        bed.setPointer(lane, second);
        bed.setRay(lane, ray);
      }
      bed.setExec(0xFFFFFFFF);
      ASSERT_EQ(bed.test(), "");
      for (unsigned lane = 0; lane < 32; ++lane) {
        expectTriangle(bed, lane, solutions[lane], target);
        hits += bed.number(0, lane) != infinity;
      }
    }
    EXPECT_GT(hits, 100u);
  }
}

/// A triangle in the plane z = 0 around the origin, counter-clockwise as seen from above.
void storePlainTriangle(RayBed &bed, unsigned lane, uint32_t id) {
  bed.setFloats(lane, 0, {-1, -1, 0, 1, -1, 0, 0, 1, 0});
  bed.at<uint32_t>(bed.place(lane) + 60) = id;
}
constexpr Ray downward = {10, {0, 0, 4}, {0, 0, -2}, {-infinity, -infinity, -0.5f}};

TEST(Bvh, TriangleId) {
  RayBed bed("gfx1100");
  bed.setExec(0xF);
  // Which weights come back: those of vertices (1, 2), (2, 0); flipped; none.
  const uint32_t ids[4] = {9, 2, 9 | 0x20, 15};
  for (unsigned lane = 0; lane < 4; ++lane) {
    storePlainTriangle(bed, lane, ids[lane]);
    bed.setPointer(lane, 0);
    bed.setRay(lane, downward);
  }
  ASSERT_EQ(bed.test(), "");
  auto weight = [&](unsigned i, unsigned lane) {
    return bed.number(2 + i, lane) / bed.number(1, lane);
  };
  EXPECT_FLOAT_EQ(weight(0, 0), 0.25f);
  EXPECT_FLOAT_EQ(weight(1, 0), 0.5f);
  EXPECT_FLOAT_EQ(weight(0, 1), 0.5f);
  EXPECT_FLOAT_EQ(weight(1, 1), 0.25f);
  EXPECT_FLOAT_EQ(weight(1, 2), 0.5f);
  EXPECT_EQ(bed.result(2, 3), 0u);
  EXPECT_GT(bed.number(1, 0), 0.0f); // from above: front
  EXPECT_LT(bed.number(1, 2), 0.0f);
  for (unsigned lane = 0; lane < 4; ++lane)
    EXPECT_FLOAT_EQ(bed.number(0, lane) / bed.number(1, lane), 2.0f);
  // Return mode 0: id and status.
  bed.setResource(0x80000000, 0x800003FF);
  ASSERT_EQ(bed.test(), "");
  EXPECT_EQ(bed.result(2, 1), 2u);
  EXPECT_EQ(bed.result(3, 1), 1u);
}

TEST(Bvh, PointerFlagsOfTriangles) {
  struct Case {
    uint32_t id;
    uint64_t flags;
    bool hit, front;
  };
  // Bits of the flags: 54 on of the pointer.
  constexpr Case cases[] = {{9, 0, true, true},          {9, 8, true, false},
                            {9, 32, false, true},        {9, 16, true, true},
                            {9, 32 | 8, true, false},    {9, 16 | 8, false, true},
                            {9, 32 | 4, true, true},     {9 | 0x10, 32, true, true},
                            {9, 64, true, true},         {9 | 0x80, 64, false, true},
                            {9, 128, false, true},       {9 | 0x80, 128, true, true},
                            {9, 128 | 1, true, true},    {9 | 0x80, 64 | 2, true, true},
                            {9, 256, false, true},       {9, 512, true, true},
                            {9 | 0x40, 512, false, true}};
  for (bool enabled : {true, false}) {
    RayBed bed("gfx1100");
    bed.setResource(0x80000000, enabled ? 0x818003FF : 0x810003FF);
    bed.setExec((1u << std::size(cases)) - 1);
    for (unsigned lane = 0; lane < std::size(cases); ++lane) {
      storePlainTriangle(bed, lane, cases[lane].id);
      bed.setPointer(lane, 0, enabled ? cases[lane].flags : 0);
      bed.setRay(lane, downward);
    }
    ASSERT_EQ(bed.test(), "");
    for (unsigned lane = 0; lane < std::size(cases); ++lane) {
      EXPECT_EQ(bed.number(0, lane) != infinity, !enabled || cases[lane].hit) << lane;
      if (bed.number(0, lane) != infinity) {
        EXPECT_EQ(bed.number(1, lane) > 0, !enabled || cases[lane].front) << lane;
        EXPECT_FLOAT_EQ(bed.number(3, lane) / bed.number(1, lane), 0.5f) << lane;
      }
    }
  }
}

TEST(Bvh, PointerFlagsOfBoxes) {
  RayBed bed("gfx1150");
  bed.setResource(0, 0x818003FF); // not sorted
  const uint64_t flags[] = {0, 64, 128, 256, 512, 1 | 64, 2 | 128, 1 | 128};
  // Children with only opaque, not opaque, triangle, procedural primitives.
  const unsigned found[] = {0xF, 0xE, 0xD, 0xB, 0x7, 0, 0, 0xF};
  bed.setExec(0xFF);
  for (unsigned lane = 0; lane < 8; ++lane) {
    for (unsigned child = 0; child < 4; ++child) {
      bed.at<uint32_t>(bed.place(lane) + 4 * child) = 100 + child;
      bed.setFloats(lane, 16 + 24 * child, {-1, -1, -1, 1, 1, 1});
    }
    bed.at<uint32_t>(bed.place(lane) + 112) = 0x08040201;
    bed.setPointer(lane, 5, flags[lane]);
    bed.setRay(lane, downward);
  }
  ASSERT_EQ(bed.test(), "");
  for (unsigned lane = 0; lane < 8; ++lane)
    for (unsigned child = 0; child < 4; ++child)
      EXPECT_EQ(bed.result(child, lane), found[lane] >> child & 1 ? 100 + child : none)
          << lane << ' ' << child;
}

/// A ray through an edge, or a vertex, that triangles share: one of them is hit.
TEST(Bvh, SharedEdges) {
  // A square around the origin, cut along a diagonal, or both; from below the other way around.
  const std::vector<std::vector<float>> halves = {{-1, -1, 0, 1, -1, 0, 1, 1, 0},
                                                  {-1, -1, 0, 1, 1, 0, -1, 1, 0}};
  const std::vector<std::vector<float>> quarters = {{-1, -1, 0, 1, -1, 0, 0, 0, 0},
                                                    {1, -1, 0, 1, 1, 0, 0, 0, 0},
                                                    {1, 1, 0, -1, 1, 0, 0, 0, 0},
                                                    {-1, 1, 0, -1, -1, 0, 0, 0, 0}};
  for (const char *target : rayTargets)
    for (const auto &triangles : {halves, quarters})
      for (float z : {1.0f, -1.0f})
        for (unsigned turned = 0; turned < 3; ++turned) {
          RayBed bed(target);
          bed.setExec((1u << triangles.size()) - 1);
          auto turn = [&](const float *v, float *to) {
            for (unsigned i = 0; i < 3; ++i)
              to[(i + turned) % 3] = v[i];
          };
          Ray ray = {10, {}, {}, {}};
          turn(std::array<float, 3>{2, 0, -4 * z}.data(), ray.origin);
          turn(std::array<float, 3>{-1, 0, 2 * z}.data(), ray.direction);
          for (unsigned i = 0; i < 3; ++i)
            ray.inverse[i] = 1 / ray.direction[i];
          for (unsigned lane = 0; lane < triangles.size(); ++lane) {
            float vertices[9];
            for (unsigned corner = 0; corner < 3; ++corner)
              turn(&triangles[lane][3 * corner], vertices + 3 * corner);
            bed.setFloats(lane, 0, vertices);
            bed.at<uint32_t>(bed.place(lane) + 60) = 9;
            bed.setPointer(lane, 0);
            bed.setRay(lane, ray);
          }
          ASSERT_EQ(bed.test(), "");
          unsigned hits = 0;
          for (unsigned lane = 0; lane < triangles.size(); ++lane)
            hits += bed.number(0, lane) != infinity;
          EXPECT_EQ(hits, 1u) << target << ' ' << triangles.size() << ' ' << z << ' ' << turned;
        }
}

TEST(Bvh, SizesOfTriangles) {
  RayBed bed("gfx1030");
  bed.setExec(0xF);
  const float sizes[4] = {0x1p-100f, 0x1p-60f, 0x1p60f, 0x1p100f};
  for (unsigned lane = 0; lane < 4; ++lane) {
    const float s = sizes[lane];
    const float vertices[9] = {-s, -s, 0, s, -s, 0, 0, s, 0};
    bed.setFloats(lane, 0, vertices);
    bed.at<uint32_t>(bed.place(lane) + 60) = 9;
    bed.setPointer(lane, 0);
    bed.setRay(lane, {10, {0, 0, 4 * s}, {0, 0, -2}, {-infinity, -infinity, -0.5f}});
  }
  ASSERT_EQ(bed.test(), "");
  for (unsigned lane = 0; lane < 4; ++lane) {
    EXPECT_FLOAT_EQ(bed.number(0, lane) / bed.number(1, lane), 2 * sizes[lane]);
    EXPECT_FLOAT_EQ(bed.number(3, lane) / bed.number(1, lane), 0.5f);
  }
}

TEST(Bvh, WhatIsNotHit) {
  for (const char *target : rayTargets) {
    RayBed bed(target);
    bed.setExec(0xFF);
    for (unsigned lane = 0; lane < 8; ++lane) {
      storePlainTriangle(bed, lane, 9);
      bed.setPointer(lane, 0);
      bed.setRay(lane, downward);
    }
    bed.setFloats(0, 0, {nan});                 // inactive
    bed.setFloats(1, 12, {-1, -1, 0});          // degenerate
    bed.setF(13, 2, -4);                        // behind the ray
    bed.setF(16, 3, 0);                         // no direction
    bed.setPointer(4, 6), bed.setPointer(5, 7); // not looked at
    bed.setPointer(6, 5);                       // a box without children
    for (unsigned child = 0; child < 4; ++child)
      bed.setFloats(6, 16 + 24 * child, {nan, nan, nan, nan, nan, nan});
    bed.setF(10, 7, 1); // the extent does not matter to triangles
    ASSERT_EQ(bed.test(), "");
    for (unsigned lane = 0; lane < 4; ++lane)
      EXPECT_EQ(bed.number(0, lane), infinity) << target << lane;
    for (unsigned lane = 4; lane < 7; ++lane)
      for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(bed.result(i, lane), none) << target << lane;
    EXPECT_FLOAT_EQ(bed.number(0, 7) / bed.number(1, 7), 2.0f);
  }
}

/// An origin in the plane of a face that the ray is parallel to: that axis drops out.
TEST(Bvh, ParallelInAPlane) {
  RayBed bed("gfx1030");
  bed.setExec(1);
  for (unsigned child = 0; child < 4; ++child) {
    bed.at<uint32_t>(bed.place(0) + 4 * child) = 100 + child;
    bed.setFloats(0, 16 + 24 * child, {float(child), -1, -1, float(child) + 1, 1, 1});
  }
  bed.setPointer(0, 5);
  Ray ray = {10, {1, 0, 4}, {0, 0, -2}, {infinity, infinity, -0.5f}};
  bed.setRay(0, ray);
  ASSERT_EQ(bed.test(), "");
  EXPECT_EQ(bed.result(2, 0), none);
  EXPECT_EQ(bed.result(0, 0) + bed.result(1, 0), 201u);
}

TEST(Bvh, Encodings) {
  // The same ray in other registers: one by one, in groups; with halves.
  for (const char *target : rayTargets) {
    const bool isGfx10 = test::isGfx10(target);
    RayBed bed(target);
    bed.setExec(1);
    storePlainTriangle(bed, 0, 9);
    bed.setPointer(0, 0);
    bed.setRay(0, downward);
    const unsigned to[12] = {30, 31, 33, 40, 41, 42, 50, 51, 52, 60, 61, 62};
    for (unsigned i = 0; i < 12; ++i)
      bed.v(to[i], 0) = bed.v(8 + i, 0);
    EXPECT_EQ(
        bed.run(isGfx10
                    ? "image_bvh64_intersect_ray v[4:7], [v30, v31, v33, v40, v41, v42, v50, v51, "
                      "v52, v60, v61, v62], s[0:3]"
                    : "image_bvh64_intersect_ray v[4:7], [v[30:31], v33, v[40:42], v[50:52], "
                      "v[60:62]], s[0:3]"),
        "");
    EXPECT_FLOAT_EQ(bed.number(0, 0) / bed.number(1, 0), 2.0f) << target;
    // 32 bits of pointer, relative to the base.
    const uint32_t base[] = {uint32_t(bed.nodes >> 8), uint32_t(bed.nodes >> 40) | 0x80000000u};
    bed.setWords(0, base);
    bed.v(9, 0) = 0;
    bed.v(4, 0) = 0;
    EXPECT_EQ(bed.run("image_bvh_intersect_ray v[4:7], v[9:19], s[0:3]"), "");
    EXPECT_FLOAT_EQ(bed.number(0, 0) / bed.number(1, 0), 2.0f) << target;
    // Halves of direction 0 0 -2, inverse 1 2 -0.5.
    const uint32_t packed[2][3] = {{0, 0x3C00C000, 0xB8004000},
                                   {0x3C000000, 0x40000000, 0xB800C000}};
    for (unsigned i = 0; i < 3; ++i)
      bed.v(14 + i, 0) = packed[!isGfx10][i];
    EXPECT_EQ(bed.run("image_bvh_intersect_ray v[4:7], v[9:16], s[0:3] a16"), "");
    EXPECT_FLOAT_EQ(bed.number(0, 0) / bed.number(1, 0), 2.0f) << target;
  }
}

TEST(Bvh, Faults) {
  for (const char *target : rayTargets) {
    RayBed bed(target);
    bed.setExec(1);
    bed.setRay(0, downward);
    bed.setAddress(8, 0, 5);
    EXPECT_NE(bed.test().find("0x0"), std::string::npos) << bed.test();
    bed.setPointer(0, 2);
    EXPECT_EQ(bed.test(), "ray test of the third or fourth triangle of a node");
    bed.setResource(0x80000000, 0x710003FF);
    EXPECT_EQ(bed.test(), "the descriptor of a ray test is of another type or has reserved bits");
    const uint32_t small[] = {0, 0x80000000, 3, 0x81000000};
    bed.setWords(0, small);
    bed.setPointer(0, 0);
    EXPECT_NE(bed.test().find("beyond the descriptor's size"), std::string::npos);
  }
}

} // namespace

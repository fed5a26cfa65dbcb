//===- Bvh8PrimitiveTest.cpp - gfx12's nodes of pairs of triangles ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Primitive nodes of random widths, which this file encodes, against Cramer's rule in double
/// precision.
#include "pal_shim/device/memory/TestbedForTest.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace pal::device;
using namespace pal::device::test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
using Vertex = std::array<float, 3>;

struct Triangle {
  std::array<unsigned, 3> corners;
  uint32_t primitive = 0, geometry = 0;
  bool opaque = false, doubleSided = false;
};
struct Pair {
  Triangle triangles[2];
  bool hasSecond = false, stop = false;
};

/// A node as 1024 bits.
struct Encoder {
  std::array<uint32_t, 32> words = {};
  unsigned payload[3] = {32, 32, 32}, trailing = 0;
  unsigned geometryAnchor = 28, geometryBits = 28, primitiveAnchor = 29, primitiveBits = 29;

  void put(unsigned at, unsigned count, uint32_t value) {
    for (unsigned bit = 0; bit < count; ++bit)
      if (value >> bit & 1 && at + bit < 1024) // else encode() fails
        words[(at + bit) / 32] |= 1u << ((at + bit) % 32);
  }
  unsigned prefix(unsigned axis) const { return 32 - payload[axis] - trailing; }

  /// Bits of the last vertex end here.
  unsigned putVertices(const std::vector<Vertex> &vertices) {
    unsigned at = 52;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (prefix(axis))
        put(at, prefix(axis), std::bit_cast<uint32_t>(vertices[0][axis]) >> (32 - prefix(axis)));
      at += prefix(axis);
    }
    for (const Vertex &vertex : vertices)
      for (unsigned axis = 0; axis < 3; ++axis) {
        put(at, payload[axis], std::bit_cast<uint32_t>(vertex[axis]) >> trailing);
        at += payload[axis];
      }
    return at;
  }
  void putIds(unsigned midpoint, const std::vector<Pair> &pairs) {
    put(midpoint, primitiveAnchor, pairs[0].triangles[0].primitive);
    put(midpoint - geometryAnchor, geometryAnchor, pairs[0].triangles[0].geometry);
    for (unsigned i = 1; i < 2 * pairs.size(); ++i) {
      const Triangle &triangle = pairs[i / 2].triangles[i % 2];
      put(midpoint + primitiveAnchor + (i - 1) * primitiveBits, primitiveBits, triangle.primitive);
      put(midpoint - geometryAnchor - i * geometryBits, geometryBits, triangle.geometry);
    }
  }
  void putPairs(const std::vector<Pair> &pairs) {
    for (unsigned i = 0; i < pairs.size(); ++i) {
      uint32_t bits = pairs[i].stop;
      for (unsigned k = 0; k <= pairs[i].hasSecond; ++k) {
        const Triangle &triangle = pairs[i].triangles[k];
        const unsigned at = k ? 1 : 15;
        bits |= uint32_t(triangle.doubleSided) << at | uint32_t(triangle.opaque) << (at + 1);
        for (unsigned corner = 0; corner < 3; ++corner)
          bits |= triangle.corners[corner] << (at + 2 + 4 * corner);
      }
      put(1024 - 29 * (i + 1), 29, bits);
    }
  }
  /// False: it does not fit.
  bool encode(const std::vector<Vertex> &vertices, const std::vector<Pair> &pairs) {
    const unsigned last = unsigned(2 * pairs.size() - 1);
    const unsigned midpoint = putVertices(vertices) + geometryAnchor + last * geometryBits;
    if (midpoint + primitiveAnchor + last * primitiveBits + 29 * pairs.size() > 1024)
      return false;
    for (unsigned axis = 0; axis < 3; ++axis)
      put(5 * axis, 5, payload[axis] - 1);
    put(15, 5, trailing), put(20, 4, geometryAnchor / 2), put(24, 4, geometryBits / 2);
    put(28, 3, unsigned(pairs.size()) - 1);
    put(32, 5, primitiveAnchor), put(37, 5, primitiveBits), put(42, 10, midpoint);
    putIds(midpoint, pairs);
    putPairs(pairs);
    return true;
  }
};

struct Ray {
  float origin[3], direction[3];
};

struct Bed : Testbed {
  Bed() : Testbed("gfx1201") {
    memory = allocate(32 * 128);
    const uint32_t words[] = {0, 0x80100000, 0xFFFFFFFF, 0x81E803FF};
    setWords(0, words);
  }
  void set(unsigned lane, const Encoder &node, const Ray &ray, unsigned pair, uint64_t flags = 0) {
    std::copy(node.words.begin(), node.words.end(), &at<uint32_t>(memory + 128 * lane));
    setAddress(0, lane, memory >> 3 | flags << 54);
    setF(2, lane, 0), v(3, lane) = 0; // neither extent nor mask matter to triangles
    for (unsigned i = 0; i < 3; ++i)
      setF(4 + i, lane, ray.origin[i]), setF(8 + i, lane, ray.direction[i]);
    v(12, lane) = 16 * lane | (pair & 3) | (pair & 4) << 1;
  }
  std::string test() {
    return run("image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[8:10], v12], s[0:3]");
  }
  uint32_t result(unsigned index, unsigned lane) { return v(20 + index, lane); }
  GpuAddress memory;
};

/// Distance and barycentrics of vertices 1 and 2; not sure near an edge.
struct Solution {
  double t = 0, i = 0, j = 0;
  bool hit = false, front = false, isSure = true;
};
Solution solve(const Ray &ray, const Vertex &a, const Vertex &b, const Vertex &c) {
  double e1[3], e2[3], e3[3], d[3];
  for (unsigned k = 0; k < 3; ++k) {
    e1[k] = double(b[k]) - a[k], e2[k] = double(c[k]) - a[k];
    e3[k] = double(ray.origin[k]) - a[k], d[k] = ray.direction[k];
  }
  auto triple = [](const double *x, const double *y, const double *z) {
    return x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) +
           x[2] * (y[0] * z[1] - y[1] * z[0]);
  };
  const double determinant = triple(d, e2, e1);
  Solution result;
  result.isSure = std::abs(determinant) > 1e-3;
  result.i = triple(d, e2, e3) / determinant;
  result.j = triple(d, e3, e1) / determinant;
  result.t = triple(e2, e3, e1) / determinant;
  const double least = std::min({result.i, result.j, 1 - result.i - result.j, result.t});
  result.isSure &= std::abs(least) > 1e-3;
  result.hit = least > 0;
  result.front = determinant > 0;
  return result;
}

struct Random {
  std::mt19937 engine{3};
  unsigned below(unsigned limit) { return unsigned(engine() % limit); }
  float number(float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(engine);
  }
};

/// Widths, and vertices that they can express: the first one's high bits, low bits of 0.
std::vector<Vertex> randomVertices(Random &random, Encoder &node, unsigned count) {
  node.trailing = random.below(2) ? 0 : random.below(14);
  for (unsigned &bits : node.payload)
    bits = random.below(2) ? 32 - node.trailing : std::min(24u, 32 - node.trailing);
  std::vector<Vertex> vertices(count);
  for (Vertex &vertex : vertices)
    for (unsigned axis = 0; axis < 3; ++axis) {
      const bool isShared = node.prefix(axis) > 0;
      // Between 2 and 4, where the eight high bits are alike.
      vertex[axis] = isShared ? random.number(2, 3.99f) : random.number(-4, 4);
      vertex[axis] = std::bit_cast<float>(std::bit_cast<uint32_t>(vertex[axis]) >>
                                          node.trailing << node.trailing);
    }
  return vertices;
}

std::vector<Pair> randomPairs(Random &random, Encoder &node, unsigned vertices) {
  node.primitiveAnchor = 5 + random.below(20), node.primitiveBits = 5 + random.below(10);
  node.geometryAnchor = 2 * random.below(6), node.geometryBits = 2 * random.below(5);
  const unsigned least = std::min(node.primitiveBits, node.primitiveAnchor);
  const uint32_t high = (1u << node.primitiveAnchor) - (1u << least);
  const uint32_t primitiveHigh =
      node.primitiveBits < node.primitiveAnchor ? uint32_t(random.engine()) & high : 0;
  const unsigned geometryLeast = std::min(node.geometryBits, node.geometryAnchor);
  const uint32_t geometryHigh =
      node.geometryBits < node.geometryAnchor
          ? uint32_t(random.engine()) & ((1u << node.geometryAnchor) - (1u << geometryLeast))
          : 0;
  std::vector<Pair> pairs(1 + random.below(8));
  for (Pair &pair : pairs) {
    pair.hasSecond = random.below(2), pair.stop = random.below(2);
    for (Triangle &triangle : pair.triangles) {
      for (unsigned &corner : triangle.corners)
        corner = random.below(vertices);
      triangle.corners[0] = std::max(triangle.corners[0], 1u); // else it might be none
      triangle.primitive = primitiveHigh | random.below(1u << least);
      triangle.geometry = geometryHigh | random.below(1u << geometryLeast);
      triangle.opaque = random.below(2);
    }
  }
  return pairs;
}

void expectTriangle(Bed &bed, unsigned lane, unsigned half, const Triangle &triangle,
                    const std::vector<Vertex> &vertices, const Ray &ray, unsigned &hits) {
  const auto [a, b, c] = triangle.corners;
  const bool isDegenerate = a == b || b == c || a == c;
  const Solution expected = solve(ray, vertices[a], vertices[b], vertices[c]);
  if (!isDegenerate && !expected.isSure)
    return;
  auto number = [&](unsigned i) { return std::bit_cast<float>(bed.result(4 * half + i, lane)); };
  ASSERT_EQ(number(0) != infinity, !isDegenerate && expected.hit) << lane;
  EXPECT_FALSE(std::signbit(number(1)));
  EXPECT_EQ(std::signbit(number(2)), !triangle.opaque);
  if (number(0) == infinity)
    return;
  ++hits;
  EXPECT_NEAR(number(0), expected.t, 1e-3 * (1 + expected.t));
  EXPECT_NEAR(number(1), expected.i, 2e-3);
  EXPECT_NEAR(std::fabs(number(2)), expected.j, 2e-3);
  EXPECT_EQ(bed.result(4 * half + 3, lane), triangle.primitive << 1 | !expected.front);
}

TEST(Bvh8Primitive, RandomNodes) {
  Bed bed;
  Random random;
  unsigned hits = 0, nodes = 0;
  while (nodes < 3000) {
    Encoder node;
    const std::vector<Vertex> vertices = randomVertices(random, node, 3 + random.below(13));
    const std::vector<Pair> pairs = randomPairs(random, node, unsigned(vertices.size()));
    if (!node.encode(vertices, pairs))
      continue;
    const unsigned lane = nodes++ % 32, number = random.below(unsigned(pairs.size()));
    const Pair &pair = pairs[number];
    Ray ray;
    for (unsigned i = 0; i < 3; ++i) {
      double center = 0;
      for (unsigned corner : pair.triangles[0].corners)
        center += vertices[corner][i] / 3.0;
      ray.origin[i] = random.number(-8, 8);
      ray.direction[i] = float(center) + random.number(-0.5f, 0.5f) - ray.origin[i];
    }
    bed.set(lane, node, ray, number);
    bed.setExec(1u << lane);
    ASSERT_EQ(bed.test(), "");
    expectTriangle(bed, lane, 0, pair.triangles[0], vertices, ray, hits);
    if (pair.hasSecond)
      expectTriangle(bed, lane, 1, pair.triangles[1], vertices, ray, hits);
    else
      EXPECT_EQ(bed.result(4, lane), std::bit_cast<uint32_t>(infinity));
    // 0: another pair follows, 1: another node, 3: nothing.
    const uint32_t navigation = pair.stop ? 3 : number + 1 == pairs.size();
    EXPECT_EQ(bed.result(8, lane), pair.triangles[0].geometry << 2 | navigation);
    EXPECT_EQ(bed.result(9, lane), pair.hasSecond ? pair.triangles[1].geometry << 2 : 0);
  }
  EXPECT_GT(hits, 500u);
}

/// A triangle in the plane z = 0, counter-clockwise as seen from above; or an AABB.
Encoder plainNode(bool opaque, bool doubleSided, bool procedural) {
  Encoder node;
  std::array<unsigned, 3> corners = {0, 1, 2};
  if (procedural)
    corners = {15, 15, 0};
  const Triangle triangle = {corners, 77, 5, opaque, doubleSided};
  EXPECT_TRUE(node.encode({{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, {{{triangle, {}}, false, true}}));
  return node;
}
constexpr Ray downward = {{0, 0, 4}, {0, 0, -2}};

TEST(Bvh8Primitive, Flags) {
  struct Case {
    bool opaque, doubleSided;
    uint64_t flags;
    bool hit, front;
  };
  constexpr Case cases[] = {
      {0, 0, 0, true, true},       {0, 0, 8, true, false},      {0, 0, 32, false, true},
      {0, 0, 16, true, true},      {0, 0, 32 | 8, true, false}, {0, 0, 16 | 8, false, true},
      {0, 0, 32 | 4, true, true},  {0, 1, 32, true, true},      {0, 0, 64, true, true},
      {1, 0, 64, false, true},     {0, 0, 128, false, true},    {1, 0, 128, true, true},
      {0, 0, 128 | 1, true, true}, {1, 0, 64 | 2, true, true},  {0, 0, 256, false, true},
      {0, 0, 512, true, true}};
  Bed bed;
  bed.setExec((1u << std::size(cases)) - 1);
  for (unsigned lane = 0; lane < std::size(cases); ++lane)
    bed.set(lane, plainNode(cases[lane].opaque, cases[lane].doubleSided, false), downward, 0,
            cases[lane].flags);
  ASSERT_EQ(bed.test(), "");
  for (unsigned lane = 0; lane < std::size(cases); ++lane) {
    const auto t = std::bit_cast<float>(bed.result(0, lane));
    EXPECT_EQ(t, cases[lane].hit ? 2.0f : infinity) << lane;
    EXPECT_EQ(bed.result(2, lane) >> 31, uint32_t(!cases[lane].opaque)) << lane;
    if (t != infinity) {
      EXPECT_EQ(bed.result(3, lane), 77u << 1 | !cases[lane].front) << lane;
    }
    EXPECT_EQ(bed.result(8, lane), 5u << 2 | 3);
  }
}

TEST(Bvh8Primitive, Procedural) {
  struct Case {
    bool opaque;
    uint64_t flags;
    bool hit;
  };
  // What faces nowhere is culled by facing, unless that is off.
  constexpr Case cases[] = {{0, 0, true},   {1, 0, true},    {1, 64, false}, {0, 128, false},
                            {0, 256, true}, {0, 512, false}, {0, 16, false}, {0, 32 | 4, true}};
  Bed bed;
  bed.setExec(0xFF);
  for (unsigned lane = 0; lane < 8; ++lane)
    bed.set(lane, plainNode(cases[lane].opaque, false, true), downward, 0, cases[lane].flags);
  ASSERT_EQ(bed.test(), "");
  for (unsigned lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(bed.result(0, lane) != std::bit_cast<uint32_t>(infinity), cases[lane].hit) << lane;
    EXPECT_EQ(bed.result(1, lane), std::bit_cast<uint32_t>(-1.0f)) << lane;
    EXPECT_EQ(bed.result(2, lane), std::bit_cast<uint32_t>(cases[lane].opaque ? 1.0f : -1.0f));
    EXPECT_EQ(bed.result(3, lane), 77u << 1);
  }
}

} // namespace

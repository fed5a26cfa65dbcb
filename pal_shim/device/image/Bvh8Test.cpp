//===- Bvh8Test.cpp - tests of rays against gfx12's nodes ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Nodes that this file encodes by itself, and what rays find in them, in double precision. Rays
/// near an edge or a tie are not judged.
#include "pal_shim/device/memory/TestbedForTest.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <optional>
#include <random>

using namespace pal::device;
using namespace pal::device::test;

namespace {

constexpr uint32_t none = 0xFFFFFFFF;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr uint32_t sorted = 0x80100000 | 6u << 23, compressed = 0x81E803FF;

struct Ray {
  float extent = infinity;
  float origin[3] = {}, direction[3] = {};
};
constexpr Ray downward = {10, {0, 0, 4}, {0, 0, -2}};

/// Base in v0, v1, extent and mask in v2, v3, origin in v[4:6], direction in v[8:10], offsets in
/// v12, v13; results in v[20:29]. T# in s[0:3].
struct Bed : Testbed {
  Bed() : Testbed("gfx1201") {
    memory = allocate(64 * 1024);
    setResource(sorted, compressed);
  }
  void setResource(uint32_t word1, uint32_t word3) {
    const uint32_t words[] = {0, word1, 0xFFFFFFFF, word3};
    setWords(0, words);
  }
  /// The nodes of a lane: 1 KiB.
  GpuAddress place(unsigned lane) const { return memory + 1024 * lane; }
  uint32_t &word(unsigned lane, unsigned index) { return at<uint32_t>(place(lane) + 4 * index); }
  void set(unsigned lane, const Ray &ray, uint32_t offset, uint32_t mask = 0xFF,
           uint64_t flags = 0) {
    setAddress(0, lane, place(lane) >> 3 | flags << 54);
    setF(2, lane, ray.extent), v(3, lane) = mask;
    for (unsigned i = 0; i < 3; ++i)
      setF(4 + i, lane, ray.origin[i]), setF(8 + i, lane, ray.direction[i]);
    v(12, lane) = offset;
  }
  std::string test() {
    return run("image_bvh8_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[8:10], v12], s[0:3]");
  }
  uint32_t result(unsigned index, unsigned lane) { return v(20 + index, lane); }
  float number(unsigned index, unsigned lane) { return vf(20 + index, lane); }
  float size(unsigned index, unsigned lane) { return std::fabs(number(index, lane)); }

  GpuAddress memory;
};

struct Random {
  std::mt19937 engine{7};
  float number(float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(engine);
  }
  unsigned below(unsigned limit) { return unsigned(engine() % limit); }
  Ray ray() {
    Ray ray;
    ray.extent = below(3) ? infinity : number(0.5f, 2);
    for (unsigned i = 0; i < 3; ++i) {
      ray.origin[i] = number(-6, 6);
      ray.direction[i] = number(-2, 2) - ray.origin[i];
    }
    return ray;
  }
};

//===--- Boxes ------------------------------------------------------------===//

/// A child as this file knows it, in steps of the node's planes.
struct Child {
  unsigned low[3], high[3]; ///< high: of the last step that is inside
  unsigned flags = 0, mask = 0xFF, type = 5, range = 1;

  std::array<uint32_t, 3> words() const {
    return {low[0] | low[1] << 12 | flags << 24, low[2] | high[0] << 12 | mask << 24,
            high[1] | high[2] << 12 | type << 24 | range << 28};
  }
};

struct Node {
  float origin[3];
  int exponents[3]; ///< a child may be 2^this large
  std::vector<Child> children;
  uint32_t boxBase = 0x100, leafBase = 0x2000;

  void store(Bed &bed, unsigned lane) const {
    bed.word(lane, 0) = boxBase, bed.word(lane, 1) = leafBase;
    for (unsigned i = 0; i < 3; ++i)
      bed.word(lane, 3 + i) = std::bit_cast<uint32_t>(origin[i]);
    bed.word(lane, 6) = unsigned(exponents[0] + 127) | unsigned(exponents[1] + 127) << 8 |
                        unsigned(exponents[2] + 127) << 16 | unsigned(children.size() - 1) << 28;
    bed.word(lane, 7) = 0x7F;
    for (unsigned i = 0; i < 8; ++i) {
      const auto words =
          i < children.size() ? children[i].words() : std::array<uint32_t, 3>{0xFFFFFFFF, 0xFFF, 0};
      std::copy(words.begin(), words.end(), &bed.word(lane, 8 + 3 * i));
    }
  }
  std::vector<uint32_t> ids() const {
    std::vector<uint32_t> result;
    uint32_t boxes = boxBase, leaves = leafBase;
    for (const Child &child : children) {
      uint32_t &next = child.type == 5 ? boxes : leaves;
      result.push_back(next + child.type);
      next += 16 * child.range;
    }
    return result;
  }
  std::optional<double> entryOf(const Ray &ray, const Child &child, bool &isSure) const {
    double entry = 0, exit = ray.extent;
    for (unsigned i = 0; i < 3; ++i) {
      const double step = std::ldexp(1.0, exponents[i] - 12);
      const double a = (origin[i] + step * child.low[i] - ray.origin[i]) / ray.direction[i];
      const double b = (origin[i] + step * (child.high[i] + 1) - ray.origin[i]) / ray.direction[i];
      entry = std::max(entry, std::min(a, b)), exit = std::min(exit, std::max(a, b));
    }
    isSure &= std::abs(exit - entry) > 1e-4;
    return entry < exit ? std::optional(entry) : std::nullopt;
  }
};

Node randomNode(Random &random) {
  Node node;
  for (unsigned i = 0; i < 3; ++i) {
    node.origin[i] = random.number(-4, -1);
    node.exponents[i] = int(random.below(3)) + 1;
  }
  node.children.resize(1 + random.below(8));
  for (Child &child : node.children) {
    for (unsigned i = 0; i < 3; ++i) {
      child.low[i] = random.below(3000);
      child.high[i] = child.low[i] + random.below(4096 - child.low[i]);
    }
    child.mask = random.below(4) ? 0xFF : random.below(256);
    child.type = random.below(2) ? 5 : random.below(2) ? 0 : 6;
    child.range = 1 + random.below(3);
  }
  return node;
}

/// Ids in order: primitives before others, then the nearest.
std::array<uint32_t, 8> expectedChildren(const Node &node, const Ray &ray, unsigned mask,
                                         bool &isSure) {
  struct Hit {
    bool isOther;
    double entry;
    uint32_t id;
  };
  std::vector<Hit> hits;
  const std::vector<uint32_t> ids = node.ids();
  for (unsigned i = 0; i < ids.size(); ++i)
    if (node.children[i].mask & mask)
      if (auto entry = node.entryOf(ray, node.children[i], isSure))
        hits.push_back({(ids[i] & 7) > 3, *entry, ids[i]});
  std::sort(hits.begin(), hits.end(), [](const Hit &a, const Hit &b) {
    return std::tie(a.isOther, a.entry) < std::tie(b.isOther, b.entry);
  });
  for (unsigned i = 1; i < hits.size(); ++i)
    isSure &= hits[i].isOther != hits[i - 1].isOther || hits[i].entry - hits[i - 1].entry > 1e-4;
  std::array<uint32_t, 8> result;
  result.fill(none);
  for (unsigned i = 0; i < hits.size(); ++i)
    result[i] = hits[i].id;
  return result;
}

TEST(Bvh8, Boxes) {
  Bed bed;
  Random random;
  unsigned judged = 0, found = 0;
  for (unsigned round = 0; round < 80; ++round) {
    std::array<uint32_t, 8> expected[32];
    bool isSure[32];
    for (unsigned lane = 0; lane < 32; ++lane) {
      const Node node = randomNode(random);
      const Ray ray = random.ray();
      const unsigned mask = random.below(4) ? 0xFF : random.below(256);
      node.store(bed, lane);
      bed.set(lane, ray, 5, mask);
      isSure[lane] = true;
      expected[lane] = expectedChildren(node, ray, mask, isSure[lane]);
    }
    bed.setExec(0xFFFFFFFF);
    ASSERT_EQ(bed.test(), "");
    for (unsigned lane = 0; lane < 32; ++lane) {
      judged += isSure[lane];
      for (unsigned i = 0; i < 8 && isSure[lane]; ++i) {
        EXPECT_EQ(bed.result(i, lane), expected[lane][i]) << round << ' ' << lane << ' ' << i;
        found += expected[lane][i] != none;
      }
    }
  }
  EXPECT_GT(judged, 2000u);
  EXPECT_GT(found, 800u);
}

/// Eight children along z, that a ray from above meets last to first; all of the size of a step.
Node column() {
  Node node = {{-2, -2, -2}, {2, 2, 2}, {}};
  for (unsigned i = 0; i < 8; ++i)
    node.children.push_back({{0, 0, 512 * i}, {4095, 4095, 512 * i + 99}});
  return node;
}

TEST(Bvh8, OrderOfChildren) {
  Bed bed;
  bed.setExec(1);
  Node node = column();
  for (unsigned i : {1u, 4u, 6u})
    node.children[i].type = i == 4 ? 1 : 0;
  node.store(bed, 0);
  bed.set(0, downward, 5);
  const std::vector<uint32_t> ids = node.ids();
  auto expect = [&](std::array<unsigned, 8> order) {
    ASSERT_EQ(bed.test(), "");
    for (unsigned i = 0; i < 8; ++i)
      EXPECT_EQ(bed.result(i, 0), ids[order[i]]) << i;
  };
  expect({4, 6, 1, 7, 5, 3, 2, 0}); // second pairs, other pairs, boxes
  bed.setResource(sorted & ~0x100000u, compressed);
  expect({7, 6, 5, 4, 3, 2, 1, 0});
  bed.setResource(sorted & ~0x100000u, compressed & ~0x200000u); // four and four
  expect({3, 2, 1, 0, 7, 6, 5, 4});
  bed.setResource(0, compressed);
  expect({0, 1, 2, 3, 4, 5, 6, 7});
  bed.setResource(sorted, compressed);
  bed.word(0, 6) |= 1u << 24; // not this node
  expect({0, 1, 2, 3, 4, 5, 6, 7});
}

TEST(Bvh8, ChildrenOfSeveralBoxes) {
  Bed bed;
  bed.setExec(1);
  Node node = column();
  for (Child &child : node.children)
    child.range = 0;
  node.children[2].range = 3;
  node.store(bed, 0);
  bed.set(0, downward, 5);
  ASSERT_EQ(bed.test(), "");
  // The first three boxes are of one child, the others of another, which ends nearer.
  EXPECT_EQ(bed.result(0, 0), node.boxBase + 16 * 3 + 5);
  EXPECT_EQ(bed.result(1, 0), node.boxBase + 5);
  EXPECT_EQ(bed.result(2, 0), none);
}

TEST(Bvh8, FlagsAndMissingChildren) {
  const uint64_t flags[] = {0, 64, 128, 256, 512, 1 | 64, 2 | 128, 1 | 128};
  // Children with only opaque, not opaque, triangle, procedural primitives; the last has no box.
  const unsigned found[] = {0xF, 0xE, 0xD, 0xB, 0x7, 0, 0, 0xF};
  Bed bed;
  bed.setExec(0xFF);
  bed.setResource(0, compressed);
  Node node = column();
  node.children.resize(5);
  for (unsigned i = 0; i < 4; ++i)
    node.children[i].flags = 1u << i;
  node.children[4].low[1] = 0xFFF, node.children[4].high[1] = 0;
  for (unsigned lane = 0; lane < 8; ++lane) {
    node.store(bed, lane);
    bed.set(lane, downward, 5, 0xFF, flags[lane]);
  }
  ASSERT_EQ(bed.test(), "");
  for (unsigned lane = 0; lane < 8; ++lane)
    for (unsigned i = 0; i < 8; ++i)
      EXPECT_EQ(bed.result(i, lane), found[lane] >> i & 1 ? node.ids()[i] : none) << lane << i;
  // Exponents so small that planes coincide, so large that they are infinite.
  for (unsigned exponent : {0u, 255u}) {
    bed.word(0, 6) = exponent * 0x10101 | 4u << 28;
    for (unsigned i = 0; i < 3; ++i)
      bed.word(0, 3 + i) = 0;
    ASSERT_EQ(bed.test(), "");
    EXPECT_EQ(bed.result(0, 0), node.ids()[0]) << exponent;
    EXPECT_EQ(bed.result(4, 0), none) << exponent;
  }
}

//===--- Instances --------------------------------------------------------===//

void storeInstance(Bed &bed, unsigned lane, uint64_t base, uint32_t userAndMask) {
  // x' = 2y + 1, y' = -z, z' = x - 3
  const float matrix[12] = {0, 2, 0, 1, 0, 0, -1, 0, 1, 0, 0, -3};
  for (unsigned i = 0; i < 12; ++i)
    bed.at<float>(bed.place(lane) + 4 * i) = matrix[i];
  bed.word(lane, 12) = uint32_t(base), bed.word(lane, 13) = uint32_t(base >> 32);
  bed.word(lane, 15) = userAndMask;
  // Two children: around everything, and nowhere near the ray.
  for (unsigned i = 0; i < 3; ++i)
    bed.at<float>(bed.place(lane) + 64 + 4 * i) = -64;
  bed.word(lane, 19) = 134 * 0x10101 | 1u << 28;
  const Child children[] = {{{0, 0, 0}, {4095, 4095, 4095}}, {{0, 0, 0}, {1, 1, 1}, 0, 0xFF, 0}};
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned k = 0; k < 3; ++k)
      bed.word(lane, 20 + 3 * i + k) = children[i].words()[k];
}

TEST(Bvh8, Instances) {
  struct Case {
    uint64_t instanceFlags, rayFlags, merged;
  };
  constexpr Case cases[] = {{0, 0, 0},   {4 | 8, 16, 4 | 8 | 16}, {1, 2, 2}, {2 | 4, 1, 1 | 4},
                            {1, 64, 65}, {512, 256, 768}};
  constexpr uint64_t base = 0x12345678A0;
  Bed bed;
  bed.setExec(0x7F);
  for (unsigned lane = 0; lane < 7; ++lane) {
    const Case &row = cases[lane % 6];
    storeInstance(bed, lane, base | row.instanceFlags << 54, 0x5AABCDEF);
    bed.set(lane, {10, {1, 2, 3}, {0.5f, 0.25f, -2}}, 6, lane == 6 ? 0xA5 : 0x40, row.rayFlags);
  }
  ASSERT_EQ(bed.test(), "");
  const float origin[3] = {5, -3, -2}, direction[3] = {0.5f, 2, 0.5f};
  for (unsigned lane = 0; lane < 6; ++lane) {
    EXPECT_EQ(uint64_t(bed.result(3, lane)) << 32 | bed.result(2, lane),
              base | cases[lane].merged << 54);
    EXPECT_EQ(bed.result(6, lane), 0xABCDEFu);
    // What is opaque by one flag and culled by the other is not there.
    EXPECT_EQ(bed.result(7, lane), cases[lane].merged == 65 ? none : 0xFFFFFF05);
    for (unsigned i = 0; i < 3; ++i) {
      EXPECT_EQ(bed.vf(4 + i, lane), origin[i]);
      EXPECT_EQ(bed.vf(8 + i, lane), direction[i]);
    }
  }
  EXPECT_EQ(bed.result(7, 6), none); // by its mask
  // Not instances, but software's.
  bed.setResource(sorted, compressed & ~0x400000u);
  bed.set(0, downward, 6);
  ASSERT_EQ(bed.test(), "");
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(bed.result(i, 0), none);
  EXPECT_EQ(bed.vf(6, 0), 4);
}

//===--- Two nodes of the older formats -----------------------------------===//

TEST(Bvh8, DualTests) {
  Bed bed;
  bed.setResource(0x80000000, compressed & ~0x280000u); // neither compressed nor sorted across
  bed.setExec(0xF);
  auto setFloats = [&](unsigned lane, unsigned at, std::initializer_list<float> values) {
    for (float value : values)
      bed.at<float>(bed.place(lane) + at) = value, at += 4;
  };
  for (unsigned lane = 0; lane < 4; ++lane) {
    setFloats(lane, 0, {-1, -1, 0, 1, -1, 0, 0, 1, 0});
    bed.word(lane, 12) = 42, bed.word(lane, 15) = 9;
    for (unsigned child = 0; child < 4; ++child) {
      bed.word(lane, 32 + child) = 100 + child;
      setFloats(lane, 144 + 24 * child, {-1, -1, float(child), 1, 1, child + 0.5f});
    }
    bed.set(lane, downward, lane == 3 ? 6 : 0);
    bed.v(13, lane) = lane == 1 ? 0 : 16 | 5;
  }
  storeInstance(bed, 3, 0x800, 0xFF000000);
  bed.word(3, 14) = 0x25; // of the child's root
  const char *text =
      "image_bvh_dual_intersect_ray v[20:29], [v[0:1], v[2:3], v[4:6], v[8:10], v[12:13]], s[0:3]";
  ASSERT_EQ(bed.run(text), "");
  for (unsigned lane = 0; lane < 3; ++lane) {
    EXPECT_FLOAT_EQ(bed.number(0, lane) / bed.number(1, lane), 2);
    EXPECT_FLOAT_EQ(bed.number(3, lane) / bed.number(1, lane), 0.5f);
    EXPECT_EQ(bed.result(8, lane), 42u);
  }
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(bed.result(4 + i, 0), 103 - i);
  EXPECT_FLOAT_EQ(bed.number(4, 1) / bed.number(5, 1), 2);
  EXPECT_EQ(bed.result(9, 0), none);
  EXPECT_EQ(bed.result(9, 1), 42u);
  EXPECT_EQ(bed.result(2, 3), 0x800u);
  EXPECT_EQ(bed.result(7, 3), 0x25u);
  EXPECT_EQ(bed.vf(4, 3), 1); // transformed
  bed.setResource(0x80000000, compressed);
  EXPECT_EQ(bed.run(text), "image_bvh_dual_intersect_ray of compressed nodes");
}

TEST(Bvh8, Faults) {
  Bed bed;
  bed.setExec(1);
  bed.set(0, downward, 4);
  EXPECT_EQ(bed.test(), "ray test of a node of type 4");
  bed.set(0, downward, 13);
  EXPECT_EQ(bed.test(), "ray test of a node of type 13");
  bed.set(0, downward, 5);
  bed.v(0, 0) |= 1;
  EXPECT_EQ(bed.test(), "ray test with a base whose low three bits are not 0");
  bed.setAddress(0, 0, 0);
  EXPECT_NE(bed.test().find("0x0"), std::string::npos);
  bed.setResource(sorted, compressed & ~0x80000u);
  bed.set(0, downward, 5);
  EXPECT_EQ(bed.test(), "image_bvh8_intersect_ray of nodes that are not compressed");
  bed.setResource(sorted, compressed | 0x4000000);
  EXPECT_EQ(bed.test(), "the descriptor of a ray test is of another type or has reserved bits");
  EXPECT_NE(bed.whyNot("image_bvh64_intersect_ray v[0:3], [v[0:1], v2, v[4:6], v[8:10], v[12:14]], "
                       "s[0:3]"),
            "");
}

} // namespace

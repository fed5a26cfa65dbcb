//===- ClusteringTest.cpp - builds for fast traces ------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/rays/StructureForTest.h"
#include <algorithm>

using namespace icd;
using namespace lgc::accel;

namespace {

class ClusteringTest : public EachStructureTest {
protected:
  StructureReader buildOf(const std::vector<float> &vertices, bool isForFastTrace) {
    const auto count = static_cast<uint32_t>(vertices.size() / 9);
    buildFlags = isForFastTrace ? VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR : 0;
    return read(build({trianglesOf(vertices)}, {{count, 0, 0, 0}}));
  }
  /// The structures, but for the flags that they were built with.
  static bool areAlike(const StructureReader &a, const StructureReader &b) {
    std::vector<uint8_t> first = a.copy(), second = b.copy();
    std::fill_n(first.begin() + headerBuildFlags, 4, uint8_t(0));
    std::fill_n(second.begin() + headerBuildFlags, 4, uint8_t(0));
    return first == second;
  }
};
KILN_EACH_STRUCTURE(ClusteringTest);

TEST_P(ClusteringTest, EveryTriangleIsReached) {
  // The last takes rounds of several workgroups.
  for (uint32_t count : {0, 1, 2, 3, 4, 5, 33, 300, 4096, 9000}) {
    const std::vector<float> vertices = scattered(count);
    const auto reader = buildOf(vertices, true);
    const auto leaves = reader.leaves();
    ASSERT_EQ(leaves.size(), count);
    for (auto [leaf, offset] : leaves)
      EXPECT_EQ(reader.floatOf(offset, 0), vertices[9 * leaf]);
    if (count >= 300) {
      EXPECT_FALSE(areAlike(reader, buildOf(vertices, false))) << count;
    }
  }
}

TEST_P(ClusteringTest, EqualTriangles) {
  std::vector<float> vertices;
  for (uint32_t i = 0; i < 700; ++i)
    vertices.insert(vertices.end(), {0, 0, 0, 1, 0, 0, 0, 1, 0});
  EXPECT_EQ(buildOf(vertices, true).leaves().size(), 700u);
}

TEST_P(ClusteringTest, InactiveTriangles) {
  std::vector<float> vertices = scattered(5000);
  for (uint32_t i = 0; i < 5000; i += 3)
    vertices[9 * i + 4] = NAN;
  EXPECT_EQ(buildOf(vertices, true).leaves().size(), 5000u - 1667);
  const std::vector<float> none(9 * 5000, NAN);
  EXPECT_TRUE(buildOf(none, true).leaves().empty());
}

/// Each around all before: a chain of clusters, for which the radix tree stands in.
TEST_P(ClusteringTest, TreesThatAreTooDeep) {
  std::vector<float> vertices;
  for (float size = 1e-15f; size < 1e15f; size *= 1.9f)
    vertices.insert(vertices.end(), {-size, -size, -size, size, -size, 0, 0, size, size});
  const uint32_t count = static_cast<uint32_t>(vertices.size() / 9);
  ASSERT_GT(count, 90u);
  const auto reader = buildOf(vertices, true);
  EXPECT_EQ(reader.leaves().size(), count);
  EXPECT_TRUE(areAlike(reader, buildOf(vertices, false)));
}

TEST_P(ClusteringTest, BoxesAreSmaller) {
  if (llvm::StringRef(GetParam()).starts_with("gfx12"))
    GTEST_SKIP() << "the same tree as of the others";
  const std::vector<float> vertices = scattered(3000, 7);
  double surfaces[2];
  for (bool isForFastTrace : {false, true}) {
    const auto reader = buildOf(vertices, isForFastTrace);
    double &sum = surfaces[isForFastTrace] = 0;
    const uint64_t first = uint64_t(reader.at(headerBoxStart)) * nodeGranule;
    for (uint32_t box = 0; box + 1 < reader.at(headerBoxCount); ++box)
      for (unsigned child = 0; child < boxChildren; ++child) {
        const uint64_t node = first + uint64_t(box) * boxBytes;
        if (reader.at(node + boxChildId + 4 * child) == nodeNone)
          continue;
        const Box bounds = reader.boxAt(node + boxChildBounds + boxBoundsStride * child);
        const double x = bounds.high[0] - bounds.low[0], y = bounds.high[1] - bounds.low[1],
                     z = bounds.high[2] - bounds.low[2];
        sum += x * y + y * z + z * x;
      }
  }
  EXPECT_LT(surfaces[1], 0.95 * surfaces[0]);
}

} // namespace

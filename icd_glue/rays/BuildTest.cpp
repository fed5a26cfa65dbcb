//===- BuildTest.cpp - builds of acceleration structures ------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/rays/BuildSizes.h"
#include "icd_glue/rays/StructureForTest.h"

using namespace icd;
using namespace lgc::accel;

namespace {

using BuildTest = EachStructureTest;
KILN_EACH_STRUCTURE(BuildTest);

/// A tree with as many boxes as four-wide ones over \p leaves may have.
uint32_t mostBoxes(uint32_t leaves) {
  // Every box but the last ones has four children; a box takes two leaves at least.
  uint32_t most = 1;
  for (uint32_t inner = 0; 3 * inner + 2 <= leaves; ++inner)
    most = std::max(most, inner + std::min(3 * inner + 1, leaves - 3 * inner - 1));
  return most;
}

TEST(BuildShape, HasRoomForEveryTree) {
  for (uint32_t leaves = 0; leaves < 3000; ++leaves) {
    const BuildShape shape = {kindTriangles, leaves, leaves % 2 == 1};
    EXPECT_GE(shape.boxCapacity() + 1, leaves < 2 ? 1 : mostBoxes(leaves)) << leaves;
    EXPECT_EQ(shape.bytes() % structureAlignment, 0u);
  }
}

TEST_P(BuildTest, EveryTriangleIsReached) {
  for (uint32_t count : {0, 1, 2, 3, 4, 5, 6, 33, 300}) {
    const std::vector<float> vertices = scattered(count);
    const auto reader = read(build({trianglesOf(vertices)}, {{count, 0, 0, 0}}));
    const auto leaves = reader.leaves();
    ASSERT_EQ(leaves.size(), count);
    for (auto [leaf, offset] : leaves) {
      EXPECT_EQ(reader.primitiveOf(offset), leaf);
      EXPECT_EQ(reader.geometryOf(offset), 0u);
      if (!reader.isWide()) {
        EXPECT_EQ(reader.at(offset + triangleId), triangleIdPlain);
      }
      for (unsigned i = 0; i < 9; ++i)
        EXPECT_EQ(reader.floatOf(offset, i), vertices[9 * leaf + i]);
    }
  }
}

TEST_P(BuildTest, LevelsOfALargeTree) {
  constexpr uint32_t count = 6000; // more than one workgroup makes alone
  const auto reader = read(build({trianglesOf(scattered(count))}, {{count, 0, 0, 0}}));
  EXPECT_EQ(reader.leaves().size(), count);
}

TEST_P(BuildTest, EqualTrianglesAreTreesToo) {
  constexpr uint32_t count = 130;
  std::vector<float> vertices;
  for (uint32_t i = 0; i < count; ++i)
    vertices.insert(vertices.end(), {0, 0, 0, 1, 0, 0, 0, 1, 0});
  EXPECT_EQ(read(build({trianglesOf(vertices)}, {{count, 0, 0, 0}})).leaves().size(), count);
}

TEST_P(BuildTest, InactiveTrianglesAreNotThere) {
  std::vector<float> vertices = scattered(20);
  vertices[9 * 3] = NAN;
  vertices[9 * 7 + 6] = NAN;
  const float infinity = INFINITY;
  vertices[9 * 8] = infinity; // active
  const auto reader = read(build({trianglesOf(vertices)}, {{20, 0, 0, 0}}));
  EXPECT_EQ(reader.at(headerActiveCount), 18u);
  EXPECT_LT(reader.at<float>(headerBounds + 12), infinity);
  std::vector<float> none(18, NAN);
  EXPECT_TRUE(read(build({trianglesOf(none)}, {{2, 0, 0, 0}})).leaves().empty());
}

TEST_P(BuildTest, GeometriesFormatsAndIndices) {
  std::vector<float> plain = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  VkAccelerationStructureGeometryKHR indexed = trianglesOf(plain);
  indexed.flags = VK_GEOMETRY_OPAQUE_BIT_KHR;
  indexed.geometry.triangles.indexType = VK_INDEX_TYPE_UINT16;
  indexed.geometry.triangles.indexData.deviceAddress =
      memoryOf<uint16_t>({9, 9, 0, 1, 2, 2, 1, 0}).address;
  VkAccelerationStructureGeometryKHR bytes = trianglesOf(plain);
  bytes.geometry.triangles.indexType = VK_INDEX_TYPE_UINT8_KHR;
  bytes.geometry.triangles.indexData.deviceAddress = memoryOf<uint8_t>({1, 2, 0}).address;
  VkAccelerationStructureGeometryKHR halves = trianglesOf({});
  halves.geometry.triangles.vertexFormat = VK_FORMAT_R16G16_SFLOAT;
  halves.geometry.triangles.vertexStride = 8;
  halves.geometry.triangles.vertexData.deviceAddress =
      memoryOf<uint16_t>({0x3C00, 0x4000, 7, 7, 0xBC00, 0, 7, 7, 0, 0x3800, 7, 7}).address;
  VkAccelerationStructureGeometryKHR fixed = trianglesOf({});
  fixed.geometry.triangles.vertexFormat = VK_FORMAT_R16G16B16A16_SNORM;
  fixed.geometry.triangles.vertexStride = 8;
  fixed.geometry.triangles.vertexData.deviceAddress =
      memoryOf<uint16_t>({0x7FFF, 0, 0x8001, 0, 0, 0x7FFF, 0, 0, 0x8000, 0, 0, 0}).address;
  const std::vector<float> move = {2, 0, 0, 10, 0, 1, 0, 20, 0, 0, 1, 30};
  VkAccelerationStructureGeometryKHR moved = trianglesOf(plain);
  moved.geometry.triangles.transformData.deviceAddress = memoryOf(move).address - 16;

  const auto reader =
      read(build({indexed, bytes, halves, fixed, moved},
                 {{2, 4, 0, 0}, {1, 0, 1, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 12, 0, 16}}));
  const auto leaves = reader.leaves();
  ASSERT_EQ(leaves.size(), 6u);
  const std::vector<std::array<float, 9>> expected = {
      {0, 0, 0, 1, 0, 0, 0, 1, 0},   {0, 1, 0, 1, 0, 0, 0, 0, 0},
      {0, 1, 0, 1, 1, 0, 1, 0, 0},   {1, 2, 0, -1, 0, 0, 0, 0.5, 0},
      {1, 0, -1, 0, 1, 0, -1, 0, 0}, {12, 20, 30, 10, 21, 30, 12, 21, 30}};
  const uint32_t geometry[] = {geometryOpaque, geometryOpaque, 1, 2, 3, 4};
  const uint32_t primitive[] = {0, 1, 0, 0, 0, 0};
  for (auto [leaf, offset] : leaves) {
    for (unsigned i = 0; i < 9; ++i)
      EXPECT_EQ(reader.floatOf(offset, i), expected[leaf][i]) << leaf;
    EXPECT_EQ(reader.geometryOf(offset), geometry[leaf]);
    EXPECT_EQ(reader.primitiveOf(offset), primitive[leaf]);
  }
  if (!reader.isWide()) {
    EXPECT_EQ(reader.at(leaves.at(0) + triangleId), triangleIdPlain | triangleIdOpaque);
  }
}

TEST_P(BuildTest, Boxes) {
  const std::vector<float> boxes = {0, 0, 0, 1, 1,  1,  9,  9,  NAN, 0,  0, 1,
                                    1, 1, 9, 9, -3, -3, -3, -2, -2,  -2, 9, 9};
  VkAccelerationStructureGeometryKHR geometry = geometryOf(VK_GEOMETRY_TYPE_AABBS_KHR);
  geometry.geometry.aabbs.data.deviceAddress = memoryOf(boxes).address;
  geometry.geometry.aabbs.stride = 32;
  const auto reader = read(build({geometry}, {{3, 0, 0, 0}}));
  const auto leaves = reader.leaves();
  ASSERT_EQ(leaves.size(), 2u);
  for (unsigned i = 0; i < 6; ++i)
    EXPECT_EQ(reader.floatOf(leaves.at(2), i), i < 3 ? -3 : -2);
  EXPECT_EQ(reader.primitiveOf(leaves.at(2)), 2u);
  EXPECT_EQ(reader.boxAt(headerBounds).high, (Vector{1, 1, 1}));
}

TEST_P(BuildTest, RangesInMemory) {
  const Geometries geometries = {trianglesOf(scattered(8)), trianglesOf(scattered(8, 2))};
  auto info = infoOf(geometries);
  const std::vector<uint32_t> most = {8, 5};
  const auto sizes = sizesOf(info, most);
  info.dstAccelerationStructure = makeStructure(sizes.accelerationStructureSize);
  info.scratchData.deviceAddress = allocateMemory(sizes.buildScratchSize).address;
  const VkDeviceAddress ranges = memoryOf<uint32_t>({3, 36, 1, 0, 0, 0x7FFFFFFF, 0, 0, 0}).address;
  const uint32_t stride = 20;
  const uint32_t *counts = most.data();
  run([&] {
    CmdBuildAccelerationStructuresIndirectKHR(commands, 1, &info, &ranges, &stride, &counts);
  });
  const auto reader = read(info.dstAccelerationStructure);
  const auto leaves = reader.leaves();
  ASSERT_EQ(leaves.size(), 8u); // of the second no more than there may be
  EXPECT_EQ(reader.floatOf(leaves.at(0), 0), scattered(8)[9 + 3]);
  EXPECT_EQ(reader.geometryOf(leaves.at(8)), 1u);
}

} // namespace

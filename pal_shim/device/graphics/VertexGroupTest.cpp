//===- VertexGroupTest.cpp - which vertices and primitives form a group ----===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/VertexGroup.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace pal::device;

namespace {

/// What makes primitives of these indices, ids 100 higher than positions.
struct Indexed {
  explicit Indexed(std::vector<uint32_t> positions,
                   PrimitiveTopology topology = PrimitiveTopology::TriangleList,
                   bool provokingLast = false) {
    for (uint32_t &position : positions)
      position += 100;
    uint64_t bytes = positions.size() * 4;
    region = llvm::cantFail(space.allocate({.size = bytes, .name = "indices"}));
    memcpy(region->host, positions.data(), bytes);
    MemoryView memory(space.snapshot());
    input = llvm::cantFail(InputAssembler::create({.topology = topology,
                                                   .indexType = IndexType::U32,
                                                   .indexBuffer = region->address,
                                                   .indexBytes = bytes},
                                                  {.vertexCount = uint32_t(positions.size())},
                                                  provokingLast, memory));
  }
  AddressSpace space;
  std::shared_ptr<const Region> region;
  InputAssembler input;
};

using Corners = std::array<uint16_t, 6>;

} // namespace

TEST(VertexGroup, SharesVerticesOfAnInstance) {
  Indexed indices({0, 1, 2, 2, 1, 3});
  VertexGroup group(indices.input, PrimitiveTopology::TriangleList, {});
  for (uint64_t i = 0; i < 4; ++i)
    ASSERT_TRUE(group.add(i));
  // Two instances of four vertices each.
  ASSERT_EQ(group.vertices().size(), 8u);
  EXPECT_EQ(group.vertices()[3].id, 103u);
  EXPECT_EQ(group.vertices()[3].instance, 0u);
  EXPECT_EQ(group.vertices()[7].id, 103u);
  EXPECT_EQ(group.vertices()[7].instance, 1u);
  EXPECT_EQ(group.primitives()[1].vertices, (Corners{2, 1, 3}));
  EXPECT_EQ(group.primitives()[3].vertices, (Corners{6, 5, 7}));
  EXPECT_EQ(group.primitives()[3].id, 1u);
}

TEST(VertexGroup, KeepsItsLimits) {
  Indexed indices({0, 1, 2, 2, 1, 3, 4, 5, 6});
  VertexGroup byVertices(indices.input, PrimitiveTopology::TriangleList, {.vertices = 6});
  EXPECT_TRUE(byVertices.add(0));
  EXPECT_TRUE(byVertices.add(1));
  EXPECT_FALSE(byVertices.add(2)); // would be vertices 5 to 7
  EXPECT_EQ(byVertices.vertices().size(), 4u);
  EXPECT_EQ(byVertices.primitives().size(), 2u);
  byVertices.clear();
  EXPECT_TRUE(byVertices.add(2));
  EXPECT_EQ(byVertices.vertices().size(), 3u);
  VertexGroup byPrimitives(indices.input, PrimitiveTopology::TriangleList, {.primitives = 1});
  EXPECT_TRUE(byPrimitives.add(0));
  EXPECT_FALSE(byPrimitives.add(1));
}

TEST(VertexGroup, ReuseCanBeOff) {
  Indexed indices({0, 1, 2, 2, 1, 3});
  VertexGroup group(indices.input, PrimitiveTopology::TriangleList, {.reuse = false});
  EXPECT_TRUE(group.add(0));
  EXPECT_TRUE(group.add(1));
  EXPECT_EQ(group.vertices().size(), 6u);
  EXPECT_EQ(group.primitives()[1].vertices, (Corners{3, 4, 5}));
}

TEST(VertexGroup, ProvokingVerticesHaveOnePrimitiveEach) {
  // All three have position 2 as provoking vertex, which is also another one's second.
  Indexed indices({2, 0, 1, 2, 1, 3, 2, 3, 4, 0, 2, 4});
  VertexGroup group(indices.input, PrimitiveTopology::TriangleList, {.ownProvokingVertex = true});
  for (uint64_t i = 0; i < 4; ++i)
    ASSERT_TRUE(group.add(i));
  std::vector<uint16_t> provoking;
  for (const VertexGroup::Primitive &primitive : group.primitives()) {
    uint16_t vertex = primitive.vertices[primitive.provoking];
    EXPECT_EQ(llvm::count(provoking, vertex), 0);
    provoking.push_back(vertex);
    EXPECT_EQ(group.vertices()[vertex].primitiveId, primitive.id);
  }
  EXPECT_EQ(group.vertices()[group.primitives()[3].vertices[1]].id, 102u);
}

TEST(VertexGroup, LeavesAdjacencyOut) {
  Indexed triangles({0, 1, 2, 3, 4, 5}, PrimitiveTopology::TriangleListAdjacency, true);
  VertexGroup group(triangles.input, PrimitiveTopology::TriangleListAdjacency, {});
  ASSERT_TRUE(group.add(0));
  ASSERT_EQ(group.vertices().size(), 3u);
  EXPECT_EQ(group.vertices()[1].id, 102u);
  EXPECT_EQ(group.vertices()[2].id, 104u);
  EXPECT_EQ(group.primitives()[0].provoking, 2u);
  EXPECT_EQ(group.primitives()[0].vertexCount, 3u);
  Indexed lines({4, 5, 6, 7}, PrimitiveTopology::LineStripAdjacency);
  VertexGroup lineGroup(lines.input, PrimitiveTopology::LineStripAdjacency, {});
  ASSERT_TRUE(lineGroup.add(0));
  ASSERT_EQ(lineGroup.vertices().size(), 2u);
  EXPECT_EQ(lineGroup.vertices()[0].id, 105u);
  EXPECT_EQ(lineGroup.primitives()[0].provoking, 0u);
}

TEST(VertexGroup, PointsOfPatches) {
  InputAssembler none;
  TessellatedPatch parts;
  parts.points = {{0, 0}, {domainUnits, 0}, {0, domainUnits}, {domainUnits, domainUnits}};
  parts.indices = {0, 1, 2, 2, 1, 3};
  VertexGroup group(none, PrimitiveTopology::PatchList, {.vertices = 8});
  const VertexGroup::Patch first = {.parts = parts, .id = 30, .number = 5};
  const VertexGroup::Patch second = {
      .parts = parts, .id = 31, .number = 6, .provokingVertexLast = true};
  for (const VertexGroup::Patch &patch : {first, second})
    for (size_t index : {0, 1})
      ASSERT_TRUE(group.add(patch, index));
  EXPECT_FALSE(group.add({.parts = parts, .id = 32, .number = 7}, 0));
  // Points are shared in a patch, not between patches.
  ASSERT_EQ(group.vertices().size(), 8u);
  EXPECT_EQ(group.vertices()[3].point, (DomainPoint{domainUnits, domainUnits}));
  EXPECT_EQ(group.vertices()[3].patch, 5u);
  EXPECT_EQ(group.vertices()[3].primitiveId, 30u);
  EXPECT_EQ(group.vertices()[7].patch, 6u);
  EXPECT_EQ(group.primitives()[1].vertices, (Corners{2, 1, 3}));
  EXPECT_EQ(group.primitives()[1].id, 30u);
  EXPECT_EQ(group.primitives()[1].provoking, 0);
  EXPECT_EQ(group.primitives()[3].vertices, (Corners{6, 5, 7}));
  EXPECT_EQ(group.primitives()[3].provoking, 2);
  EXPECT_EQ(group.primitives()[3].vertexCount, 3);

  // Flat attributes: a provoking vertex of its own for each line.
  TessellatedPatch lines;
  lines.points = {{0, 0}, {1, 0}, {2, 0}};
  lines.verticesPerPrimitive = 2;
  lines.indices = {0, 1, 1, 2};
  VertexGroup own(none, PrimitiveTopology::PatchList, {.ownProvokingVertex = true});
  for (size_t index : {0, 1})
    ASSERT_TRUE(own.add({.parts = lines}, index));
  EXPECT_EQ(own.vertices().size(), 4u);
  EXPECT_EQ(own.primitives()[1].vertices, (Corners{2, 3}));
  EXPECT_EQ(own.primitives()[1].vertexCount, 2);
}

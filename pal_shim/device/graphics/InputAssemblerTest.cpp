//===- InputAssemblerTest.cpp - vertices of a draw to primitives -----------===//
// SPDX-License-Identifier: MIT
// Expected orders: Vulkan specification, "Primitive Topologies".
#include "pal_shim/device/graphics/InputAssembler.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace pal::device;

namespace {

using Topology = PrimitiveTopology;

/// Memory with an index buffer in it.
struct Indices {
  AddressSpace space;
  std::shared_ptr<const Region> region;

  template <typename T> explicit Indices(std::vector<T> values) {
    region = llvm::cantFail(space.allocate({.size = values.size() * sizeof(T), .name = "indices"}));
    memcpy(region->host, values.data(), values.size() * sizeof(T));
  }
};

/// "0,1,2(0) 2,1,3(0)": vertices by id, the provoking one; '+' where a line strip goes on.
std::string text(llvm::Expected<VertexStream> stream) {
  if (!stream)
    return llvm::toString(stream.takeError());
  const AssembledPrimitives &primitives = stream->primitives;
  std::string result;
  for (size_t k = 0; k < primitives.count(); ++k) {
    result += k ? " " : "";
    for (unsigned v = 0; v < primitives.verticesPerPrimitive; ++v)
      result += (v ? "," : "") +
                std::to_string(
                    stream->ids[primitives.positions[k * primitives.verticesPerPrimitive + v]]);
    result += "(" + std::to_string(primitives.provoking[k]) + ")";
    result += primitives.continues[k] ? "+" : "";
  }
  return result;
}

std::string direct(Topology topology, uint32_t count, bool last = false, uint32_t patch = 0) {
  AddressSpace space;
  MemoryView memory(space.snapshot());
  return text(assembleInput({.topology = topology, .patchControlPoints = patch},
                            {.firstVertex = 100, .vertexCount = count}, last, memory));
}

template <typename T>
llvm::Expected<VertexStream> indexed(std::vector<T> values, InputAssembly input,
                                     DrawRange range = {}) {
  Indices indices(values);
  MemoryView memory(indices.space.snapshot());
  input.indexType = sizeof(T) == 1   ? IndexType::U8
                    : sizeof(T) == 2 ? IndexType::U16
                                     : IndexType::U32;
  input.indexBuffer = indices.region->address;
  input.indexBytes = input.indexBytes ? input.indexBytes : values.size() * sizeof(T);
  if (!range.vertexCount)
    range.vertexCount = uint32_t(values.size());
  return assembleInput(input, range, false, memory);
}

} // namespace

TEST(InputAssembler, Lists) {
  EXPECT_EQ(direct(Topology::PointList, 3), "0(0) 1(0) 2(0)");
  EXPECT_EQ(direct(Topology::LineList, 5), "0,1(0) 2,3(0)");
  EXPECT_EQ(direct(Topology::LineList, 5, true), "0,1(1) 2,3(1)");
  EXPECT_EQ(direct(Topology::TriangleList, 8), "0,1,2(0) 3,4,5(0)");
  EXPECT_EQ(direct(Topology::TriangleList, 8, true), "0,1,2(2) 3,4,5(2)");
  EXPECT_EQ(direct(Topology::LineListAdjacency, 9), "0,1,2,3(1) 4,5,6,7(1)");
  EXPECT_EQ(direct(Topology::LineListAdjacency, 4, true), "0,1,2,3(2)");
  EXPECT_EQ(direct(Topology::TriangleListAdjacency, 13), "0,1,2,3,4,5(0) 6,7,8,9,10,11(0)");
  EXPECT_EQ(direct(Topology::TriangleListAdjacency, 6, true), "0,1,2,3,4,5(4)");
  EXPECT_EQ(direct(Topology::PatchList, 7, false, 3), "0,1,2(0) 3,4,5(0)");
  EXPECT_EQ(direct(Topology::PatchList, 2, true, 1), "0(0) 1(0)");
}

TEST(InputAssembler, Strips) {
  EXPECT_EQ(direct(Topology::LineStrip, 4), "0,1(0) 1,2(0)+ 2,3(0)+");
  EXPECT_EQ(direct(Topology::LineStrip, 3, true), "0,1(1) 1,2(1)+");
  EXPECT_EQ(direct(Topology::LineStripAdjacency, 6), "0,1,2,3(1) 1,2,3,4(1)+ 2,3,4,5(1)+");
  EXPECT_EQ(direct(Topology::TriangleStrip, 6), "0,1,2(0) 1,3,2(0) 2,3,4(0) 3,5,4(0)");
  EXPECT_EQ(direct(Topology::TriangleStrip, 6, true), "0,1,2(2) 2,1,3(2) 2,3,4(2) 4,3,5(2)");
  EXPECT_EQ(direct(Topology::TriangleFan, 5), "1,2,0(0) 2,3,0(0) 3,4,0(0)");
  EXPECT_EQ(direct(Topology::TriangleFan, 5, true), "0,1,2(2) 0,2,3(2) 0,3,4(2)");
}

TEST(InputAssembler, TriangleStripsWithAdjacency) {
  // The table's rows, vertices 1st, 1/2, 2nd, 2/3, 3rd, 3/1: only; first and last odd; ...
  EXPECT_EQ(direct(Topology::TriangleStripAdjacency, 6), "0,1,2,5,4,3(0)");
  EXPECT_EQ(direct(Topology::TriangleStripAdjacency, 7), "0,1,2,5,4,3(0)");
  EXPECT_EQ(direct(Topology::TriangleStripAdjacency, 8), "0,1,2,6,4,3(0) 4,0,2,5,6,7(2)");
  // ... first, middle odd, last even.
  EXPECT_EQ(direct(Topology::TriangleStripAdjacency, 10),
            "0,1,2,6,4,3(0) 4,0,2,5,6,8(2) 4,2,6,9,8,7(0)");
  // Middle even.
  EXPECT_EQ(direct(Topology::TriangleStripAdjacency, 12, true),
            "0,1,2,6,4,3(4) 4,0,2,5,6,8(4) 4,2,6,10,8,7(4) 8,4,6,9,10,11(4)");
}

TEST(InputAssembler, IncompletePrimitivesAreDropped) {
  for (bool last : {false, true}) {
    EXPECT_EQ(direct(Topology::PointList, 0, last), "");
    EXPECT_EQ(direct(Topology::LineList, 1, last), "");
    EXPECT_EQ(direct(Topology::LineStrip, 1, last), "");
    EXPECT_EQ(direct(Topology::TriangleList, 2, last), "");
    EXPECT_EQ(direct(Topology::TriangleStrip, 2, last), "");
    EXPECT_EQ(direct(Topology::TriangleFan, 2, last), "");
    EXPECT_EQ(direct(Topology::LineListAdjacency, 3, last), "");
    EXPECT_EQ(direct(Topology::LineStripAdjacency, 3, last), "");
    EXPECT_EQ(direct(Topology::TriangleListAdjacency, 5, last), "");
    EXPECT_EQ(direct(Topology::TriangleStripAdjacency, 5, last), "");
    EXPECT_EQ(direct(Topology::PatchList, 3, last, 4), "");
  }
}

TEST(InputAssembler, IndicesAreReusedAndPositionsAreTheirPlaces) {
  llvm::Expected<VertexStream> stream =
      indexed<uint16_t>({7, 300, 7, 300, 9, 65535}, {.topology = Topology::TriangleList});
  ASSERT_TRUE(bool(stream));
  EXPECT_EQ(stream->ids, (std::vector<uint32_t>{7, 300, 9, 65535}));
  EXPECT_EQ(stream->primitives.positions, (std::vector<uint32_t>{0, 1, 0, 1, 2, 3}));
}

TEST(InputAssembler, IndexTypes) {
  EXPECT_EQ(text(indexed<uint8_t>({1, 2, 255}, {})), "1,2,255(0)");
  EXPECT_EQ(text(indexed<uint16_t>({1, 2, 65535}, {})), "1,2,65535(0)");
  EXPECT_EQ(text(indexed<uint32_t>({1, 0xFFFFFFFE, 0xFFFFFFFF}, {})), "1,4294967294,4294967295(0)");
}

TEST(InputAssembler, RestartBeginsStripsAnew) {
  auto restarted = [](Topology topology, std::vector<uint8_t> values, uint32_t patch = 0) {
    return text(indexed(
        values, {.topology = topology, .patchControlPoints = patch, .primitiveRestart = true}));
  };
  EXPECT_EQ(restarted(Topology::LineStrip, {0, 1, 2, 255, 3, 4}), "0,1(0) 1,2(0)+ 3,4(0)");
  EXPECT_EQ(restarted(Topology::TriangleStrip, {0, 1, 2, 3, 255, 255, 4, 5, 6, 7, 255}),
            "0,1,2(0) 1,3,2(0) 4,5,6(0) 5,7,6(0)");
  EXPECT_EQ(restarted(Topology::TriangleFan, {9, 1, 2, 255, 8, 3, 4}), "1,2,9(0) 3,4,8(0)");
  EXPECT_EQ(
      restarted(Topology::TriangleStripAdjacency, {0, 1, 2, 3, 4, 5, 255, 6, 7, 8, 9, 10, 11}),
      "0,1,2,5,4,3(0) 6,7,8,11,10,9(0)");
  // Lists: what is incomplete at the restart is dropped.
  EXPECT_EQ(restarted(Topology::TriangleList, {0, 1, 255, 2, 3, 4, 255, 5}), "2,3,4(0)");
  EXPECT_EQ(restarted(Topology::PointList, {0, 255, 1}), "0(0) 1(0)");
  EXPECT_EQ(restarted(Topology::PatchList, {0, 255, 1, 2}, 2), "1,2(0)");
  EXPECT_EQ(
      text(indexed<uint16_t>({0, 1, 255, 65535, 2, 3, 4},
                             {.topology = Topology::TriangleStrip, .primitiveRestart = true})),
      "0,1,255(0) 2,3,4(0)");
  EXPECT_EQ(
      text(indexed<uint32_t>({0, 1, 65535, 0xFFFFFFFF, 2, 3, 4},
                             {.topology = Topology::TriangleStrip, .primitiveRestart = true})),
      "0,1,65535(0) 2,3,4(0)");
}

TEST(InputAssembler, IndicesOutsideTheBufferAreZero) {
  EXPECT_EQ(text(indexed<uint16_t>({5, 6, 7, 8}, {}, {.firstVertex = 2, .vertexCount = 6})),
            "7,8,0(0) 0,0,0(0)");
  EXPECT_EQ(text(indexed<uint32_t>({5, 6, 7}, {.indexBytes = 11}, {.vertexCount = 3})), "5,6,0(0)");
  EXPECT_EQ(text(indexed<uint32_t>({5}, {}, {.firstVertex = 0xFFFFFFFF, .vertexCount = 3})),
            "0,0,0(0)");
  AddressSpace space;
  MemoryView memory(space.snapshot());
  EXPECT_EQ(text(assembleInput({.indexType = IndexType::U32}, {.vertexCount = 3}, false, memory)),
            "0,0,0(0)");
}

TEST(InputAssembler, ErrorsNameTheReason) {
  AddressSpace space;
  MemoryView memory(space.snapshot());
  auto message = [&](InputAssembly input, uint32_t count = 3) {
    return text(assembleInput(input, {.vertexCount = count}, false, memory));
  };
  auto has = [](const std::string &whole, const char *part) {
    return whole.find(part) != std::string::npos;
  };
  EXPECT_PRED2(has, message({.topology = Topology(11)}), "no topology 11");
  EXPECT_PRED2(has, message({.topology = Topology::PatchList}), "patches of 0 vertices");
  EXPECT_PRED2(has, message({.topology = Topology::PatchList, .patchControlPoints = 33}),
               "patches of 33 vertices");
  EXPECT_PRED2(has, message({.indexType = IndexType(4)}), "no index type 4");
  EXPECT_PRED2(has, message({}, 0xFFFFFFFF), "a draw of 4294967295 vertices");
  EXPECT_PRED2(has,
               message({.indexType = IndexType::U16, .indexBuffer = 0x1234, .indexBytes = 100}),
               "index buffer");
}

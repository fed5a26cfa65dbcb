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
  size_t count;

  template <typename T> explicit Indices(std::vector<T> values) : count(values.size()) {
    region = llvm::cantFail(space.allocate({.size = values.size() * sizeof(T), .name = "indices"}));
    memcpy(region->host, values.data(), values.size() * sizeof(T));
  }
};

/// "0,1,2(0)": vertices by id, the provoking one; '+' where a line strip goes on.
std::string text(const AssembledPrimitive &primitive) {
  std::string result;
  for (uint32_t id : primitive.vertices())
    result += (result.empty() ? "" : ",") + std::to_string(id);
  return result + "(" + std::to_string(primitive.provoking) + ")" +
         (primitive.continues ? "+" : "");
}

/// "0,1,2(0) 2,1,3(0)", or the error.
std::string text(llvm::Expected<InputAssembler> input) {
  if (!input)
    return llvm::toString(input.takeError());
  std::string result;
  for (uint64_t k = 0; k < input->primitives(); ++k)
    result += (k ? " " : "") + text(input->primitive(k));
  return result;
}

InputAssembler directInput(Topology topology, uint32_t count, bool last = false,
                           uint32_t patch = 0) {
  AddressSpace space;
  MemoryView memory(space.snapshot());
  return llvm::cantFail(InputAssembler::create({.topology = topology, .patchControlPoints = patch},
                                               {.firstVertex = 100, .vertexCount = count}, last,
                                               memory));
}

std::string direct(Topology topology, uint32_t count, bool last = false, uint32_t patch = 0) {
  return text(directInput(topology, count, last, patch));
}

template <typename T>
llvm::Expected<InputAssembler> create(const Indices &indices, InputAssembly input,
                                      DrawRange range = {}) {
  MemoryView memory(indices.space.snapshot());
  input.indexType = sizeof(T) == 1   ? IndexType::U8
                    : sizeof(T) == 2 ? IndexType::U16
                                     : IndexType::U32;
  input.indexBuffer = indices.region->address;
  uint64_t bytes = indices.count * sizeof(T);
  input.indexBytes = input.indexBytes ? input.indexBytes : bytes;
  if (!range.vertexCount)
    range.vertexCount = uint32_t(indices.count);
  return InputAssembler::create(input, range, false, memory);
}

template <typename T>
std::string indexed(std::vector<T> values, InputAssembly input, DrawRange range = {}) {
  Indices indices(values);
  return text(create<T>(indices, input, range));
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

TEST(InputAssembler, IndexTypes) {
  EXPECT_EQ(indexed<uint8_t>({1, 2, 255}, {}), "1,2,255(0)");
  EXPECT_EQ(indexed<uint16_t>({1, 2, 65535}, {}), "1,2,65535(0)");
  EXPECT_EQ(indexed<uint32_t>({1, 0xFFFFFFFE, 0xFFFFFFFF}, {}), "1,4294967294,4294967295(0)");
}

TEST(InputAssembler, RestartBeginsStripsAnew) {
  auto restarted = [](Topology topology, std::vector<uint8_t> values, uint32_t patch = 0) {
    return indexed(values,
                   {.topology = topology, .patchControlPoints = patch, .primitiveRestart = true});
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
  EXPECT_EQ(indexed<uint16_t>({0, 1, 255, 65535, 2, 3, 4},
                              {.topology = Topology::TriangleStrip, .primitiveRestart = true}),
            "0,1,255(0) 2,3,4(0)");
  EXPECT_EQ(indexed<uint32_t>({0, 1, 65535, 0xFFFFFFFF, 2, 3, 4},
                              {.topology = Topology::TriangleStrip, .primitiveRestart = true}),
            "0,1,65535(0) 2,3,4(0)");
}

/// Then no other index is one, either.
TEST(InputAssembler, RestartIndexOfTheCaller) {
  const InputAssembly input = {
      .topology = Topology::TriangleStrip, .primitiveRestart = true, .restartIndex = 7};
  EXPECT_EQ(indexed<uint8_t>({0, 1, 255, 7, 2, 3, 4}, input), "0,1,255(0) 2,3,4(0)");
  EXPECT_EQ(indexed<uint16_t>({0, 1, 65535, 7, 2, 3, 4}, input), "0,1,65535(0) 2,3,4(0)");
  EXPECT_EQ(indexed<uint32_t>({0, 1, 0xFFFFFFFF, 7, 2, 3, 4}, input), "0,1,4294967295(0) 2,3,4(0)");
  EXPECT_EQ(indexed<uint8_t>({0, 1, 7}, {.topology = Topology::TriangleList, .restartIndex = 7}),
            "0,1,7(0)");
}

TEST(InputAssembler, CountsVerticesWithoutRestarts) {
  Indices indices(std::vector<uint16_t>{0, 1, 2, 65535, 3, 4, 5, 65535, 65535, 6, 7, 8, 9, 65535});
  InputAssembly input{.topology = Topology::TriangleStrip, .primitiveRestart = true};
  InputAssembler restarted = llvm::cantFail(create<uint16_t>(indices, input));
  EXPECT_EQ(restarted.vertices(), 10u);
  EXPECT_EQ(restarted.primitives(), 4u);
  input.primitiveRestart = false;
  InputAssembler whole = llvm::cantFail(create<uint16_t>(indices, input));
  EXPECT_EQ(whole.vertices(), 14u);
  EXPECT_EQ(whole.primitives(), 12u);
  // Nothing but restarts.
  Indices none(std::vector<uint8_t>(7, 255));
  InputAssembler empty = llvm::cantFail(
      create<uint8_t>(none, {.topology = Topology::PointList, .primitiveRestart = true}));
  EXPECT_EQ(empty.vertices(), 0u);
  EXPECT_EQ(empty.primitives(), 0u);
}

TEST(InputAssembler, PrimitivesComeInEveryOrder) {
  std::vector<uint8_t> values;
  for (unsigned i = 0; i < 200; ++i)
    values.push_back(i * 7 % 11 == 3 || i % 50 > 46 ? 255 : i);
  Indices indices(values);
  for (Topology topology :
       {Topology::PointList, Topology::LineStrip, Topology::TriangleList, Topology::TriangleStrip,
        Topology::TriangleFan, Topology::TriangleStripAdjacency, Topology::PatchList}) {
    SCOPED_TRACE(unsigned(topology));
    InputAssembler input = llvm::cantFail(create<uint8_t>(
        indices, {.topology = topology, .patchControlPoints = 4, .primitiveRestart = true}));
    std::vector<std::string> ascending;
    for (uint64_t k = 0; k < input.primitives(); ++k)
      ascending.push_back(text(input.primitive(k)));
    ASSERT_GT(ascending.size(), 20u);
    // Again, as for the next instance; the same one twice; backwards; with gaps.
    for (uint64_t k = 0; k < 2 * ascending.size(); ++k)
      ASSERT_EQ(text(input.primitive(k / 2)), ascending[k / 2]);
    for (uint64_t k = ascending.size(); k-- > 0;)
      ASSERT_EQ(text(input.primitive(k)), ascending[k]);
    for (uint64_t k = 0, n = ascending.size(); k < n; ++k)
      ASSERT_EQ(text(input.primitive(k * 17 % n)), ascending[k * 17 % n]);
  }
}

TEST(InputAssembler, DrawsOfEverySize) {
  constexpr uint32_t most = 0xFFFFFFFF;
  auto at = [](Topology topology, uint64_t number, uint32_t patch = 0) {
    return text(directInput(topology, most, false, patch).primitive(number));
  };
  EXPECT_EQ(directInput(Topology::PointList, most).primitives(), most);
  EXPECT_EQ(directInput(Topology::PointList, most).vertices(), most);
  EXPECT_EQ(at(Topology::PointList, 0xFFFFFFFE), "4294967294(0)");
  EXPECT_EQ(directInput(Topology::TriangleList, most).primitives(), 1431655765u);
  EXPECT_EQ(at(Topology::TriangleList, 1431655764), "4294967292,4294967293,4294967294(0)");
  EXPECT_EQ(directInput(Topology::TriangleStrip, most).primitives(), 0xFFFFFFFDu);
  EXPECT_EQ(at(Topology::TriangleStrip, 1 << 24), "16777216,16777217,16777218(0)");
  EXPECT_EQ(at(Topology::TriangleStrip, (1 << 24) + 1), "16777217,16777219,16777218(0)");
  EXPECT_EQ(at(Topology::TriangleFan, 1 << 24), "16777217,16777218,0(0)");
  EXPECT_EQ(at(Topology::LineStrip, 1 << 24), "16777216,16777217(0)+");
  EXPECT_EQ(directInput(Topology::TriangleStripAdjacency, most).primitives(), 2147483645u);
  EXPECT_EQ(at(Topology::TriangleStripAdjacency, 2147483644),
            "4294967288,4294967286,4294967290,4294967293,4294967292,4294967291(0)");
  EXPECT_EQ(directInput(Topology::PatchList, most, false, 32).primitives(), 134217727u);

  // Restarts at both sides of 2^24, and indices that the buffer does not have.
  std::vector<uint8_t> values((1 << 24) + 6);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = i % 200;
  values[5] = values[(1 << 24) - 1] = values[(1 << 24) + 3] = 255;
  Indices indices(values);
  DrawRange range{.vertexCount = (1 << 24) + 8};
  InputAssembler input = llvm::cantFail(create<uint8_t>(
      indices, {.topology = Topology::TriangleStrip, .primitiveRestart = true}, range));
  EXPECT_EQ(input.vertices(), (1u << 24) + 5);
  EXPECT_EQ(input.primitives(), 3u + (1 << 24) - 9 + 1 + 2);
  EXPECT_EQ(text(input.primitive(3)), "6,7,8(0)");
  EXPECT_EQ(text(input.primitive((1 << 24) - 7)), "12,13,14(0)");
  EXPECT_EQ(text(input.primitive((1 << 24) - 6)), "16,17,18(0)");
  EXPECT_EQ(text(input.primitive((1 << 24) - 5)), "20,21,0(0)");
  EXPECT_EQ(text(input.primitive((1 << 24) - 4)), "21,0,0(0)");
}

// A shader may write what the draw reads: undefined for the API, but there is no way out of bounds.
TEST(InputAssembler, IndicesThatChange) {
  Indices indices(std::vector<uint8_t>{0, 1, 2, 3, 4, 5, 6, 7});
  InputAssembler input = llvm::cantFail(
      create<uint8_t>(indices, {.topology = Topology::LineStrip, .primitiveRestart = true}));
  ASSERT_EQ(input.primitives(), 7u);
  EXPECT_EQ(text(input.primitive(6)), "6,7(0)+");
  EXPECT_EQ(text(input.primitive(0)), "0,1(0)");
  indices.region->host[3] = 255;
  // The latest run is as it was; the next instance finds the restart.
  EXPECT_EQ(text(input.primitive(6)), "6,7(0)+");
  Indices fewer(std::vector<uint8_t>{0, 1, 255, 3, 4, 5});
  InputAssembler second = llvm::cantFail(
      create<uint8_t>(fewer, {.topology = Topology::LineStrip, .primitiveRestart = true}));
  ASSERT_EQ(second.primitives(), 3u);
  EXPECT_EQ(text(second.primitive(2)), "4,5(0)+");
  fewer.region->host[1] = 255;
  EXPECT_EQ(text(second.primitive(0)), "3,4(0)");
  EXPECT_EQ(text(second.primitive(2)), "0,0(0)");
  EXPECT_EQ(text(second.primitive(1)), "4,5(0)+");
}

TEST(InputAssembler, IndicesOutsideTheBufferAreZero) {
  EXPECT_EQ(indexed<uint16_t>({5, 6, 7, 8}, {}, {.firstVertex = 2, .vertexCount = 6}),
            "7,8,0(0) 0,0,0(0)");
  EXPECT_EQ(indexed<uint32_t>({5, 6, 7}, {.indexBytes = 11}, {.vertexCount = 3}), "5,6,0(0)");
  EXPECT_EQ(indexed<uint32_t>({5}, {}, {.firstVertex = 0xFFFFFFFF, .vertexCount = 3}), "0,0,0(0)");
  AddressSpace space;
  MemoryView memory(space.snapshot());
  EXPECT_EQ(text(InputAssembler::create({.indexType = IndexType::U32}, {.vertexCount = 3}, false,
                                        memory)),
            "0,0,0(0)");
}

TEST(InputAssembler, ErrorsNameTheReason) {
  AddressSpace space;
  MemoryView memory(space.snapshot());
  auto message = [&](InputAssembly input) {
    return text(InputAssembler::create(input, {.vertexCount = 3}, false, memory));
  };
  auto has = [](const std::string &whole, const char *part) {
    return whole.find(part) != std::string::npos;
  };
  EXPECT_PRED2(has, message({.topology = Topology(11)}), "no topology 11");
  EXPECT_PRED2(has, message({.topology = Topology::PatchList}), "patches of 0 vertices");
  EXPECT_PRED2(has, message({.topology = Topology::PatchList, .patchControlPoints = 33}),
               "patches of 33 vertices");
  EXPECT_PRED2(has, message({.indexType = IndexType(4)}), "no index type 4");
  EXPECT_PRED2(has,
               message({.indexType = IndexType::U16, .indexBuffer = 0x1234, .indexBytes = 100}),
               "index buffer");
}

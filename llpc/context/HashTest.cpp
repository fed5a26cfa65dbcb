//===- HashTest.cpp - canonical encoding and pipeline keys ----------------===//
// SPDX-License-Identifier: MIT
#include "llpc/context/Hash.h"
#include "llpc/StateKey.h"
#include "llpc/context/PipelineKey.h"
#include "gtest/gtest.h"
#include <set>

using namespace llpc;

namespace {

enum class Small : uint8_t { A, B = 7 };

TEST(Hash, EncodingIsLittleEndianAndPrefixed) {
  Hasher h("t", 2);
  h.u8(0x11);
  h.u32(0x22334455);
  h.u64(0x66778899aabbccddull);
  h.boolean(true);
  h.enumeration(Small::B);
  h.string("ab");
  h.words({0x01020304});
  const std::vector<uint8_t> expected = {
      1,    0,    0,    0,    't',  2,    0,    0,    0,                            // tag, version
      0x11, 0x55, 0x44, 0x33, 0x22, 0xdd, 0xcc, 0xbb, 0xaa, 0x99, 0x88, 0x77, 0x66, // u8 u32 u64
      1,    7,    2,    0,    0,    0,    'a',  'b', // bool enum string
      1,    0,    0,    0,    4,    3,    2,    1};  // words
  EXPECT_EQ(h.encoding().vec(), expected);
}

TEST(Hash, KnownXxh3Value) {
  // XXH3-128 of nothing, as the reference implementation publishes it.
  EXPECT_EQ(toString(hashBytes({})), "99aa06d3014798d86001c324468d497f");
  uint32_t words[] = {0x03020100, 0x07060504};
  uint8_t bytes[] = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(hashWords(words), hashBytes(bytes));
}

TEST(Hash, TagAndVersionSeparateFormats) {
  EXPECT_NE(Hasher("a", 1).finish(), Hasher("b", 1).finish());
  EXPECT_NE(Hasher("a", 1).finish(), Hasher("a", 2).finish());
}

/// Every field changes the encoding: a mutation per field, all results different.
TEST(PipelineKey, EveryOptionFieldCounts) {
  std::set<Hash128> seen;
  auto add = [&](auto mutate) {
    PipelineOptions options;
    mutate(options);
    Hasher h("o", 1);
    encode(h, options);
    EXPECT_TRUE(seen.insert(h.finish()).second);
  };
  add([](PipelineOptions &) {});
  add([](PipelineOptions &o) { o.robustBufferAccess = true; });
  add([](PipelineOptions &o) { o.robustBufferAccess2 = true; });
  add([](PipelineOptions &o) { o.robustImageAccess2 = true; });
  add([](PipelineOptions &o) { o.nullDescriptor = true; });
  add([](PipelineOptions &o) { o.scalarBlockLayout = true; });
  add([](PipelineOptions &o) { o.primitivesGeneratedQuery = true; });
  add([](PipelineOptions &o) { o.meshShaderQueries = true; });
  add([](PipelineOptions &o) { o.includeIr = true; });
  add([](PipelineOptions &o) { o.includeDisassembly = true; });
  add([](PipelineOptions &o) { o.debugInfo = true; });
  add([](PipelineOptions &o) { o.optLevel = lgc::OptLevel::Quick; });
}

TEST(PipelineKey, PipelineHashIsNoInput) {
  PipelineOptions a, b;
  b.pipelineHash[0] = 1;
  Hasher ha("o", 1), hb("o", 1);
  encode(ha, a);
  encode(hb, b);
  EXPECT_EQ(ha.finish(), hb.finish());
}

TEST(PipelineKey, EveryShaderOptionFieldCounts) {
  std::set<Hash128> seen;
  auto add = [&](auto mutate) {
    PipelineShaderOptions options;
    mutate(options);
    Hasher h("o", 1);
    encode(h, options);
    EXPECT_TRUE(seen.insert(h.finish()).second);
  };
  add([](PipelineShaderOptions &) {});
  add([](PipelineShaderOptions &o) { o.clientHash[0] = 1; });
  add([](PipelineShaderOptions &o) { o.clientHash[1] = 1; });
  add([](PipelineShaderOptions &o) { o.vgprLimit = 1; });
  add([](PipelineShaderOptions &o) { o.sgprLimit = 1; });
  add([](PipelineShaderOptions &o) { o.wavesPerEu = 1; });
  add([](PipelineShaderOptions &o) { o.waveSize = 32; });
  add([](PipelineShaderOptions &o) { o.subgroupSize = 32; });
  add([](PipelineShaderOptions &o) { o.requireFullSubgroups = true; });
  add([](PipelineShaderOptions &o) { o.disableLoopUnroll = true; });
  add([](PipelineShaderOptions &o) { o.viewIndexFromDeviceIndex = true; });
}

TEST(PipelineKey, MappingStructureCounts) {
  auto hashOf = [](const ResourceMappingData &mapping) {
    Hasher h("m", 1);
    encode(h, mapping);
    return h.finish();
  };
  lgc::ResourceNode leaf;
  leaf.type = lgc::ResourceNodeType::DescriptorBuffer;
  leaf.sizeInDwords = 4;
  lgc::ResourceNode table;
  table.type = lgc::ResourceNodeType::DescriptorTableVaPtr;
  table.sizeInDwords = 1;
  // The same nodes, nested and side by side.
  ResourceMappingData nested, flat;
  nested.roots = {table};
  nested.roots[0].table = {leaf};
  flat.roots = {table, leaf};
  EXPECT_NE(hashOf(nested), hashOf(flat));
  ResourceMappingData moved = nested;
  moved.roots[0].table[0].offsetInDwords = 4;
  EXPECT_NE(hashOf(nested), hashOf(moved));
  ResourceMappingData sampler = nested;
  sampler.staticDescriptors.push_back({});
  EXPECT_NE(hashOf(nested), hashOf(sampler));
}

TEST(PipelineKey, SpecializationOrderDoesNotCount) {
  Hasher a("s", 1), b("s", 1), c("s", 1);
  encode(a, std::vector<SpecConstant>{{1, 4, 10}, {2, 4, 20}});
  encode(b, std::vector<SpecConstant>{{2, 4, 20}, {1, 4, 10}});
  encode(c, std::vector<SpecConstant>{{2, 4, 10}, {1, 4, 20}});
  EXPECT_EQ(a.finish(), b.finish());
  EXPECT_NE(a.finish(), c.finish());
}

} // namespace

//===- HashTest.cpp - canonical encoding and pipeline keys ----------------===//
// SPDX-License-Identifier: MIT
#include "llpc/context/Hash.h"
#include "llpc/StateFields.h"
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

/// Changes the field with number `wanted`, if it is an input.
template <typename S> struct FieldChange {
  S &state;
  unsigned wanted, next = 0;
  bool isChanged = false;

  void field(const lgc::Field &f, auto member) {
    if (next++ != wanted || !f.isInput)
      return;
    change(state.*member);
    isChanged = true;
  }
  template <typename Base> void base(Base *list) { visitFields(*this, list); }
  static void change(bool &value) { value = !value; }
  static void change(uint32_t &value) { ++value; }
  static void change(uint64_t (&hash)[2]) { ++hash[1]; }
  static void change(lgc::OptLevel &level) { level = lgc::OptLevel::Quick; }
  static void change(lgc::Tier &tier) { tier = lgc::Tier::Direct; }
  static void change(DenormalMode &mode) { mode = DenormalMode::Preserve; }
};

/// Every field changes the encoding, each in another way.
template <typename S> void expectEveryFieldCounts() {
  std::set<Hash128> seen;
  unsigned changes = 0;
  for (unsigned i = 0, fields = 1; i < fields + 1; ++i) {
    S options;
    FieldChange<S> change{options, i};
    visitFields(change, static_cast<S *>(nullptr));
    fields = change.next;
    changes += change.isChanged;
    Hasher h("o", 1);
    encode(h, options);
    seen.insert(h.finish());
  }
  EXPECT_GT(changes, 0u);
  EXPECT_EQ(seen.size(), changes + 1); // and the unchanged one
}

TEST(PipelineKey, EveryOptionCounts) {
  expectEveryFieldCounts<PipelineOptions>();
  expectEveryFieldCounts<PipelineShaderOptions>();
}

TEST(PipelineKey, PipelineHashIsNoInput) {
  PipelineOptions a, b;
  b.pipelineHash[0] = 1;
  Hasher ha("o", 1), hb("o", 1);
  encode(ha, a);
  encode(hb, b);
  EXPECT_EQ(ha.finish(), hb.finish());
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

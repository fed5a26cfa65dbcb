//===- MappingTest.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Mapping.h"
#include "icd_glue/amd/AdapterForTest.h"
#include <cstring>

using namespace icd::amd;
using NodeType = Vkgc::ResourceMappingNodeType;

TEST(AmdMapping, dropsTablesThatTheHardwareFinds) {
  const Layout layout;
  auto mapping = mappingOf(layout.data());
  ASSERT_TRUE(bool(mapping));
  ASSERT_EQ(mapping->roots.size(), 1u);
  EXPECT_EQ(mapping->roots[0].type, lgc::ResourceNodeType::DescriptorTableVaPtr);
  ASSERT_EQ(mapping->roots[0].table.size(), 1u);
  EXPECT_EQ(mapping->roots[0].table[0].type, lgc::ResourceNodeType::DescriptorBuffer);
  EXPECT_EQ(mapping->roots[0].table[0].strideInDwords, 4u);
}

TEST(AmdMapping, refusesWhatBreaksTheInterface) {
  auto kindOf = [](const Vkgc::ResourceMappingData &data) {
    auto mapping = mappingOf(data);
    return mapping ? lgc::ErrorText{} : lgc::consumeToText(mapping.takeError());
  };
  Layout layout;
  layout.binding.type = NodeType::Count;
  EXPECT_EQ(kindOf(layout.data()).kind, lgc::ErrorKind::InvalidInput);
  layout.binding.type = NodeType::DescriptorTableVaPtr;
  EXPECT_EQ(kindOf(layout.data()).message, "resource mapping: a table in a table");
  layout.roots[0].node.tablePtr.pNext = nullptr;
  EXPECT_EQ(kindOf(layout.data()).message, "resource mapping: a table without nodes");
  EXPECT_EQ(kindOf({nullptr, 1, nullptr, 0}).kind, lgc::ErrorKind::InvalidInput);
  EXPECT_EQ(kindOf({nullptr, 0, nullptr, 1}).kind, lgc::ErrorKind::InvalidInput);
  Vkgc::StaticDescriptorValue value = {NodeType::DescriptorSampler, 0, 0, 1, nullptr, 0};
  EXPECT_EQ(kindOf({nullptr, 0, &value, 1}).kind, lgc::ErrorKind::InvalidInput);
  const unsigned words[4] = {};
  value = {NodeType::DescriptorBuffer, 0, 0, 1, words, 0};
  EXPECT_EQ(kindOf({nullptr, 0, &value, 1}).kind, lgc::ErrorKind::Unsupported);
}

/// NV12 as AMD's driver describes it: two planes, half the size, BT.709 in narrow range.
static Vkgc::SamplerYCbCrConversionMetaData nv12() {
  Vkgc::SamplerYCbCrConversionMetaData words = {};
  words.word0.bitDepth.channelBitsR = 8;
  words.word0.componentMapping.swizzleR = 4;
  words.word0.componentMapping.swizzleG = 5;
  words.word0.componentMapping.swizzleB = 6;
  words.word0.componentMapping.swizzleA = 1;
  words.word0.yCbCrModel = 2;
  words.word0.yCbCrRange = 1;
  words.word1.planes = 2;
  words.word1.chromaFilter = 1;
  words.word1.xChromaOffset = 1;
  words.word1.xSubSampled = 1;
  words.word1.ySubSampled = 1;
  return words;
}

TEST(AmdMapping, convertsYcbcrSamplers) {
  unsigned elements[20];
  for (unsigned i = 0; i < 20; ++i)
    elements[i] = 100 + i;
  const auto words = nv12();
  std::memcpy(elements + 4, &words, sizeof(words));
  std::memcpy(elements + 14, &words, sizeof(words));
  const Vkgc::StaticDescriptorValue value = {
      NodeType::DescriptorYCbCrSampler, 1, 2, 2, elements, 0};
  auto mapping = mappingOf({nullptr, 0, &value, 1});
  ASSERT_TRUE(bool(mapping));
  const lgc::StaticDescriptor &descriptor = mapping->staticDescriptors.at(0);
  ASSERT_EQ(descriptor.dwords.size(), 12u);
  EXPECT_EQ(descriptor.dwords[0], 100u);
  EXPECT_EQ(descriptor.dwords[9], 113u);
  const auto info = lgc::decodeYcbcr(descriptor.dwords[4], descriptor.dwords[5]);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->model, lgc::YcbcrModel::Bt709);
  EXPECT_TRUE(info->narrowRange && info->linearChroma && info->xMidpoint && !info->yMidpoint);
  EXPECT_TRUE(info->halfWidth && info->halfHeight && info->inPlace);
  EXPECT_EQ(info->planes, 2u);
  EXPECT_EQ(info->bits, 8u);
  EXPECT_EQ(info->swizzle[0], lgc::YcbcrSwizzle::R);
  EXPECT_EQ(info->swizzle[3], lgc::YcbcrSwizzle::One);
}

TEST(AmdMapping, takesAnyBitsOfYcbcrWords) {
  Vkgc::SamplerYCbCrConversionMetaData words;
  std::memset(&words, 0xFF, sizeof(words));
  const auto encoded = lgc::encodeYcbcr(ycbcrInfoOf(words));
  EXPECT_TRUE(lgc::decodeYcbcr(encoded[0], encoded[1]));
  std::memset(&words, 0, sizeof(words));
  const auto zero = lgc::encodeYcbcr(ycbcrInfoOf(words));
  EXPECT_TRUE(lgc::decodeYcbcr(zero[0], zero[1]));
}

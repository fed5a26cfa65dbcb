//===- AutoLayoutTest.cpp - layouts made of resource usage ----------------===//
// SPDX-License-Identifier: MIT
#include "llpc/context/AutoLayout.h"
#include "gtest/gtest.h"

using namespace llpc;
using lgc::ResourceNodeType;

namespace {

lgc::ResourceMapping layoutOf(const ResourceUsage &usage) {
  auto mapping = buildAutoLayout(usage);
  if (!mapping) {
    ADD_FAILURE() << llvm::toString(mapping.takeError());
    return {};
  }
  return *mapping;
}

TEST(AutoLayout, PacksBindingsPerSet) {
  ResourceUsage usage;
  usage.nodes = {{ResourceNodeType::DescriptorConstBuffer, 0, 2, 1},
                 {ResourceNodeType::DescriptorCombinedTexture, 0, 5, 3},
                 {ResourceNodeType::DescriptorSampler, 0, 9, 1},
                 {ResourceNodeType::DescriptorImage, 3, 0, 1},
                 {ResourceNodeType::DescriptorMutable, 3, 1, 2}};
  lgc::ResourceMapping mapping = layoutOf(usage);
  ASSERT_EQ(mapping.roots.size(), 2u);
  EXPECT_EQ(mapping.roots[0].type, ResourceNodeType::DescriptorTableVaPtr);
  EXPECT_EQ(mapping.roots[0].offsetInDwords, 0u);
  EXPECT_EQ(mapping.roots[0].sizeInDwords, 1u);
  const auto &first = mapping.roots[0].table;
  ASSERT_EQ(first.size(), 3u);
  EXPECT_EQ(first[0].offsetInDwords, 0u);
  EXPECT_EQ(first[0].sizeInDwords, 4u);
  EXPECT_EQ(first[1].offsetInDwords, 4u);
  EXPECT_EQ(first[1].sizeInDwords, 36u); // three image + sampler pairs
  EXPECT_EQ(first[1].strideInDwords, 12u);
  EXPECT_EQ(first[2].offsetInDwords, 40u);
  const auto &second = mapping.roots[1].table;
  EXPECT_EQ(mapping.roots[1].offsetInDwords, 1u);
  EXPECT_EQ(mapping.roots[1].set, 3u);
  ASSERT_EQ(second.size(), 2u);
  EXPECT_EQ(second[1].offsetInDwords, 8u); // after one storage image
  EXPECT_EQ(second[1].sizeInDwords, 24u);
}

TEST(AutoLayout, RuntimeArraysHaveSixteenElements) {
  ResourceUsage usage;
  usage.nodes = {{ResourceNodeType::DescriptorBuffer, 1, 0, ResourceNodeData::runtimeArray},
                 {ResourceNodeType::DescriptorBuffer, 1, 1, 1}};
  lgc::ResourceMapping mapping = layoutOf(usage);
  EXPECT_EQ(mapping.roots[0].table[0].sizeInDwords, 64u);
  EXPECT_EQ(mapping.roots[0].table[1].offsetInDwords, 64u);
}

TEST(AutoLayout, PushConstantsComeLast) {
  ResourceUsage usage;
  usage.nodes = {{ResourceNodeType::DescriptorBuffer, 0, 0, 1}};
  usage.pushConstSize = 9;
  lgc::ResourceMapping mapping = layoutOf(usage);
  ASSERT_EQ(mapping.roots.size(), 2u);
  EXPECT_EQ(mapping.roots[1].type, ResourceNodeType::PushConst);
  EXPECT_EQ(mapping.roots[1].offsetInDwords, 1u);
  EXPECT_EQ(mapping.roots[1].sizeInDwords, 3u);
}

TEST(AutoLayout, NothingUsedNothingMapped) { EXPECT_TRUE(layoutOf({}).roots.empty()); }

TEST(AutoLayout, HugeArraysAreRefused) {
  ResourceUsage usage;
  usage.nodes = {{ResourceNodeType::DescriptorImage, 0, 7, 0x7fffffff}};
  auto mapping = buildAutoLayout(usage);
  ASSERT_FALSE(bool(mapping));
  lgc::ErrorText error = lgc::consumeToText(mapping.takeError());
  EXPECT_EQ(error.kind, lgc::ErrorKind::LimitExceeded);
  EXPECT_EQ(error.message,
            "descriptor set 0 binding 7: array of 2147483647 descriptors is too large "
            "for an automatic layout");
}

} // namespace

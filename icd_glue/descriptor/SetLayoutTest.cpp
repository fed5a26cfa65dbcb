// SPDX-License-Identifier: MIT
// Offsets of bindings, from the sizes that the header names.
#include "icd_glue/descriptor/SetLayout.h"
#include <gtest/gtest.h>

namespace icd {
namespace {

VkDescriptorSetLayoutBinding binding(uint32_t number, VkDescriptorType type, uint32_t count = 1,
                                     const VkSampler *samplers = nullptr) {
  return {number, type, count, VK_SHADER_STAGE_COMPUTE_BIT, samplers};
}

std::optional<SetLayout> build(
    llvm::ArrayRef<VkDescriptorSetLayoutBinding> bindings, const void *next = nullptr,
    SamplerLookup samplers = [](VkSampler) { return ImmutableSampler(); }) {
  VkDescriptorSetLayoutCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.pNext = next;
  info.bindingCount = static_cast<uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  return buildSetLayout(info, samplers);
}

TEST(SetLayout, BindingsFollowEachOtherInOrderOfNumbers) {
  auto layout = build({binding(7, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3),
                       binding(0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE),
                       binding(2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2),
                       binding(3, VK_DESCRIPTOR_TYPE_SAMPLER)});
  ASSERT_TRUE(layout);
  ASSERT_EQ(layout->bindings.size(), 4u);
  EXPECT_EQ(layout->find(0)->offsetDwords, 0u);
  EXPECT_EQ(layout->find(2)->offsetDwords, 8u);
  EXPECT_EQ(layout->find(2)->strideDwords, 12u);
  EXPECT_EQ(layout->find(3)->offsetDwords, 8u + 24);
  EXPECT_EQ(layout->find(7)->offsetDwords, 8u + 24 + 4);
  EXPECT_EQ(layout->sizeDwords, 8u + 24 + 4 + 12);
  EXPECT_EQ(layout->find(1), nullptr);
  EXPECT_EQ(layout->find(8), nullptr);
}

TEST(SetLayout, EmptyBindingsTakeNothing) {
  auto layout = build({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 0),
                       binding(1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)});
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->find(0), nullptr);
  EXPECT_EQ(layout->find(1)->offsetDwords, 0u);
}

TEST(SetLayout, DynamicBuffersAreOutsideTheSet) {
  auto layout = build({binding(0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 2),
                       binding(1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER),
                       binding(2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)});
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->sizeDwords, 4u);
  EXPECT_EQ(layout->dynamicCount, 3u);
  EXPECT_EQ(layout->find(0)->firstDynamic, 0u);
  EXPECT_EQ(layout->find(2)->firstDynamic, 2u);
  EXPECT_EQ(layout->find(1)->offsetDwords, 0u);
}

TEST(SetLayout, InlineBlocksArePaddedTo16Bytes) {
  auto layout = build({binding(0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 20),
                       binding(1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)});
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->find(0)->sizeDwords, 5u);
  EXPECT_EQ(layout->find(1)->offsetDwords, 8u);
}

TEST(SetLayout, MutableTakesTheLargestListedType) {
  VkDescriptorType small[] = {VK_DESCRIPTOR_TYPE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  VkDescriptorType images[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
  VkMutableDescriptorTypeListEXT lists[] = {{2, small}, {2, images}};
  VkMutableDescriptorTypeCreateInfoEXT types = {
      VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT, nullptr, 2, lists};
  auto layout = build({binding(0, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 2),
                       binding(1, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 2)},
                      &types);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->find(0)->strideDwords, 4u);
  EXPECT_EQ(layout->find(1)->offsetDwords, 8u);
  EXPECT_EQ(layout->find(1)->strideDwords, 8u);
}

TEST(SetLayout, VariableCountDecidesTheSizeOfASet) {
  VkDescriptorBindingFlags flags[] = {0, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT};
  VkDescriptorSetLayoutBindingFlagsCreateInfo info = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, nullptr, 2, flags};
  auto layout = build(
      {binding(0, VK_DESCRIPTOR_TYPE_SAMPLER), binding(1, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1000)},
      &info);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->sizeDwords, 4u + 8000);
  EXPECT_EQ(layout->sizeDwordsFor(3), 4u + 24);
  EXPECT_EQ(layout->sizeDwordsFor(0), 4u);
  EXPECT_EQ(layout->variableBinding(), layout->find(1));
}

TEST(SetLayout, ImmutableYcbcrSamplersTakeAnImagePerPlane) {
  VkSampler handles[2] = {};
  auto layout = build({binding(0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2, handles)}, nullptr,
                      [count = 0](VkSampler) mutable {
                        ImmutableSampler sampler;
                        sampler.isYcbcr = true;
                        sampler.planes = static_cast<uint32_t>(2 + count++);
                        return sampler;
                      });
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->find(0)->strideDwords, 24u);
  EXPECT_TRUE(layout->find(0)->hasYcbcrSampler());
}

/// combinedImageSamplerDescriptorSize for each of combinedImageSamplerDescriptorCount.
TEST(SetLayout, YcbcrSamplersInDescriptorBuffersAreSoManyOrdinaryOnes) {
  VkSampler handle = VK_NULL_HANDLE;
  const VkDescriptorSetLayoutBinding combined =
      binding(0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, &handle);
  VkDescriptorSetLayoutCreateInfo info = {};
  info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
  info.bindingCount = 1;
  info.pBindings = &combined;
  const auto layout = buildSetLayout(info, [](VkSampler) {
    ImmutableSampler sampler;
    sampler.isYcbcr = true;
    sampler.planes = 3;
    return sampler;
  });
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->find(0)->strideDwords, 3 * combinedDwords);
  EXPECT_EQ(layout->sizeDwords, 3 * combinedDwords);
}

TEST(SetLayout, ImpossibleLayoutsAreRefused) {
  EXPECT_FALSE(build({binding(0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1u << 30)}));
  EXPECT_FALSE(build({binding(0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, UINT32_MAX)}));
  EXPECT_FALSE(build({binding(0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, UINT32_MAX)}));
  EXPECT_FALSE(build({binding(0, VkDescriptorType(4711))}));
}

} // namespace
} // namespace icd

// SPDX-License-Identifier: MIT
// Pipeline layouts as root user data and as the compiler's resource mapping.
#include "icd_glue/state/UserDataLayout.h"
#include <gtest/gtest.h>

namespace icd {
namespace {

using lgc::ResourceNodeType;

VkDescriptorSetLayoutBinding binding(uint32_t number, VkDescriptorType type, uint32_t count = 1,
                                     const VkSampler *samplers = nullptr) {
  return {number, type, count, VK_SHADER_STAGE_COMPUTE_BIT, samplers};
}

std::shared_ptr<const SetLayout> layout(std::vector<VkDescriptorSetLayoutBinding> bindings,
                                        ImmutableSampler sampler = {}) {
  VkDescriptorSetLayoutCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.bindingCount = static_cast<uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  return std::make_shared<const SetLayout>(
      *buildSetLayout(info, [&](VkSampler) { return sampler; }));
}

TEST(UserDataLayout, PointersThenDynamicBuffersThenPushConstants) {
  std::vector<std::shared_ptr<const SetLayout>> sets = {
      layout({binding(0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 2)}),
      nullptr,
      layout({binding(1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC),
              binding(3, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE)}),
      layout({}),
      layout({binding(0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 8)}),
  };
  auto userData = buildUserDataLayout(sets, 10);
  ASSERT_TRUE(userData);
  EXPECT_EQ(userData->sets[0].tableOffset, SetUserData::none);
  EXPECT_EQ(userData->sets[1].tableOffset, SetUserData::none);
  EXPECT_EQ(userData->sets[2].tableOffset, 0u);
  EXPECT_EQ(userData->sets[3].tableOffset, SetUserData::none);
  EXPECT_EQ(userData->sets[4].tableOffset, 1u);
  EXPECT_EQ(userData->sets[0].dynamicOffset, 2u);
  EXPECT_EQ(userData->sets[0].dynamicCount, 2u);
  EXPECT_EQ(userData->sets[2].dynamicOffset, 10u);
  EXPECT_EQ(userData->pushOffset, 14u);
  EXPECT_EQ(userData->pushDwords, 3u);
  EXPECT_EQ(userData->totalDwords, 17u);

  lgc::ResourceMapping mapping = buildResourceMapping(*userData, sets);
  ASSERT_EQ(mapping.roots.size(), 5u);
  EXPECT_EQ(mapping.roots[0].type, ResourceNodeType::DescriptorTableVaPtr);
  EXPECT_EQ(mapping.roots[0].set, 2u);
  ASSERT_EQ(mapping.roots[0].table.size(), 1u);
  EXPECT_EQ(mapping.roots[0].table[0].type, ResourceNodeType::DescriptorResource);
  EXPECT_EQ(mapping.roots[0].table[0].binding, 3u);
  EXPECT_EQ(mapping.roots[1].offsetInDwords, 1u);
  EXPECT_EQ(mapping.roots[1].table[0].type, ResourceNodeType::InlineBuffer);
  EXPECT_EQ(mapping.roots[1].table[0].sizeInDwords, 2u);
  EXPECT_EQ(mapping.roots[2].type, ResourceNodeType::DescriptorBuffer);
  EXPECT_EQ(mapping.roots[2].offsetInDwords, 2u);
  EXPECT_EQ(mapping.roots[2].sizeInDwords, 8u);
  EXPECT_EQ(mapping.roots[2].strideInDwords, 4u);
  EXPECT_EQ(mapping.roots[3].type, ResourceNodeType::DescriptorConstBuffer);
  EXPECT_EQ(mapping.roots[3].offsetInDwords, 10u);
  EXPECT_EQ(mapping.roots[4].type, ResourceNodeType::PushConst);
  EXPECT_EQ(mapping.roots[4].offsetInDwords, 14u);
}

TEST(UserDataLayout, TheLimitsFitExactly) {
  std::vector<std::shared_ptr<const SetLayout>> sets(
      maxBoundSets, layout({binding(0, VK_DESCRIPTOR_TYPE_SAMPLER)}));
  sets[0] =
      layout({binding(0, VK_DESCRIPTOR_TYPE_SAMPLER),
              binding(1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, maxDynamicUniformBuffers),
              binding(2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, maxDynamicStorageBuffers)});
  auto userData = buildUserDataLayout(sets, maxPushConstantBytes);
  ASSERT_TRUE(userData);
  EXPECT_EQ(userData->totalDwords, maxUserDataDwords - 2);
  EXPECT_EQ(taskViewDword(*userData), maxUserDataDwords - 2);
  EXPECT_EQ(launchDword(*userData), maxUserDataDwords - 2);
  EXPECT_FALSE(buildUserDataLayout(sets, maxPushConstantBytes + 4));
}

/// Their words are others on another device, which must find the same code and key.
TEST(UserDataLayout, SamplersOfADeviceAreNotInTheCode) {
  VkSampler handle = VK_NULL_HANDLE;
  auto mappingOf = [&](uint32_t index) {
    const ImmutableSampler sampler{{1, 2, 3, index}, false, {}, 1, true};
    const std::vector<std::shared_ptr<const SetLayout>> sets = {
        layout({binding(0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, &handle)}, sampler)};
    return buildResourceMapping(*buildUserDataLayout(sets, 0), sets);
  };
  const lgc::ResourceMapping mapping = mappingOf(4);
  EXPECT_TRUE(mapping.staticDescriptors.empty());
  ASSERT_EQ(mapping.roots.size(), 1u);
  ASSERT_EQ(mapping.roots[0].table.size(), 1u);
  EXPECT_EQ(mapping.roots[0].table[0].type, ResourceNodeType::DescriptorSampler);
  EXPECT_EQ(mapping, mappingOf(5));
}

TEST(UserDataLayout, ImmutableSamplersAreStaticDescriptors) {
  VkSampler handle = VK_NULL_HANDLE;
  ImmutableSampler plain{{1, 2, 3, 4}, false, {}, 1};
  std::vector<std::shared_ptr<const SetLayout>> sets = {
      layout({binding(5, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, &handle)}, plain)};
  lgc::ResourceMapping mapping = buildResourceMapping(*buildUserDataLayout(sets, 0), sets);
  ASSERT_EQ(mapping.staticDescriptors.size(), 1u);
  EXPECT_EQ(mapping.staticDescriptors[0].binding, 5u);
  EXPECT_EQ(mapping.staticDescriptors[0].type, ResourceNodeType::DescriptorCombinedTexture);
  EXPECT_EQ(mapping.staticDescriptors[0].dwords, (std::vector<uint32_t>{1, 2, 3, 4}));

  ImmutableSampler converting{{1, 2, 3, 4}, true, {5, 6}, 2};
  sets = {layout({binding(0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, &handle)}, converting)};
  mapping = buildResourceMapping(*buildUserDataLayout(sets, 0), sets);
  EXPECT_EQ(mapping.staticDescriptors[0].type, ResourceNodeType::DescriptorYCbCrSampler);
  EXPECT_EQ(mapping.staticDescriptors[0].dwords, (std::vector<uint32_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(mapping.roots[0].table[0].type, ResourceNodeType::DescriptorYCbCrSampler);
  EXPECT_EQ(mapping.roots[0].table[0].strideInDwords, 16u);
}

} // namespace
} // namespace icd

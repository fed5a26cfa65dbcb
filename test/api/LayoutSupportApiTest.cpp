// SPDX-License-Identifier: MIT
// vkGetDescriptorSetLayoutSupport: bindings with a variable count. The specification: one without
// descriptors is treated as if it had some, so that the largest count is the same.
#include "Gpu.h"
#include "test/vulkan/GraphicsInfo.h"

namespace api {
namespace {

using vktest::vkStruct;

class LayoutSupportApi : public ApiTest {
protected:
  struct Answer {
    bool isSupported;
    uint32_t largest;
  };
  /// Of a layout with a buffer in front, and \p count of \p type behind it.
  Answer ask(VkDescriptorType type, uint32_t count, bool isVariable = true) {
    const VkDescriptorSetLayoutBinding bindings[] = {
        {3, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
        {4, type, count, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}};
    const VkDescriptorBindingFlags flags[] = {
        0, isVariable
               ? VkDescriptorBindingFlags(VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT)
               : 0};
    auto flagsInfo = vkStruct<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    flagsInfo.bindingCount = 2;
    flagsInfo.pBindingFlags = flags;
    auto info = vkStruct<VkDescriptorSetLayoutCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &flagsInfo);
    info.bindingCount = 2;
    info.pBindings = bindings;
    auto variable = vkStruct<VkDescriptorSetVariableDescriptorCountLayoutSupport>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT);
    variable.maxVariableDescriptorCount = 12345;
    auto support = vkStruct<VkDescriptorSetLayoutSupport>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT, &variable);
    gpu.vk.GetDescriptorSetLayoutSupport(gpu.device, &info, &support);
    return {support.supported != VK_FALSE, variable.maxVariableDescriptorCount};
  }
};
API_TESTS_ON_ALL_DEVICES(LayoutSupportApi);

TEST_P(LayoutSupportApi, CountsOfVariableBindings) {
  for (VkDescriptorType type :
       {VK_DESCRIPTOR_TYPE_SAMPLER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
        VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
        VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER,
        VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK}) {
    const bool isInline = type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    const Answer some = ask(type, isInline ? 4 : 1), none = ask(type, 0);
    EXPECT_TRUE(some.isSupported && none.isSupported) << type;
    EXPECT_GE(some.largest, 4u) << type;
    EXPECT_EQ(none.largest, some.largest) << type;
    if (isInline) {
      auto limits = vkStruct<VkPhysicalDeviceInlineUniformBlockProperties>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES);
      auto all = vkStruct<VkPhysicalDeviceProperties2>(
          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits);
      gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &all);
      EXPECT_TRUE(some.largest <= limits.maxInlineUniformBlockSize ||
                  !gpu.isKiln()); // Mesa's is more
      EXPECT_EQ(some.largest % 4, 0u);
    }
    const Answer most = ask(type, some.largest);
    EXPECT_TRUE(most.isSupported) << type;
    EXPECT_EQ(most.largest, some.largest) << type;
    EXPECT_EQ(ask(type, isInline ? 4 : 1, /*isVariable=*/false).largest, 0u) << type;
    // What is asked for and what can be had: at least as much, or nothing.
    const uint32_t huge = isInline ? 1u << 28 : 1u << 24;
    const Answer asked = ask(type, huge);
    if (gpu.isKiln()) // Mesa's lavapipe gives less than it is asked for
      EXPECT_TRUE(asked.isSupported ? asked.largest >= huge : asked.largest == 0)
          << type << ": " << asked.largest;
  }
}

} // namespace
} // namespace api

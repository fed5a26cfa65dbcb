// SPDX-License-Identifier: MIT
// VK_KHR_extended_flags: flags and usages of 64 bits take the place of those of 32.
#include "Frames.h"
#include <optional>

namespace api {
namespace {

class ExtendedFlagsApi : public ApiTest {
protected:
  void SetUp() override {
    if (!gpu.hasExtension(VK_KHR_EXTENDED_FLAGS_EXTENSION_NAME))
      GTEST_SKIP() << "no VK_KHR_extended_flags";
    features = vkStruct<VkPhysicalDeviceExtendedFlagsFeaturesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_FLAGS_FEATURES_KHR);
    device.emplace(GetParam(), &features);
    ASSERT_TRUE(features.extendedFlags);
    image.imageType = VK_IMAGE_TYPE_2D;
    image.format = VK_FORMAT_R8G8B8A8_UNORM;
    image.extent = {8, 8, 1};
    image.mipLevels = image.arrayLayers = 1;
    image.samples = VK_SAMPLE_COUNT_1_BIT;
    image.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  }
  /// What the query says of `image`; and so says its creation.
  VkResult support() {
    auto query = vkStruct<VkPhysicalDeviceImageFormatInfo2>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2, image.pNext);
    query.format = image.format;
    query.type = image.imageType;
    query.tiling = image.tiling;
    query.usage = image.usage;
    query.flags = image.flags;
    auto answer = vkStruct<VkImageFormatProperties2>(VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2);
    const VkResult result =
        device->vk.GetPhysicalDeviceImageFormatProperties2(device->physicalDevice, &query, &answer);
    VkImage made = VK_NULL_HANDLE;
    EXPECT_EQ(device->vk.CreateImage(device->device, &image, nullptr, &made), result);
    device->vk.DestroyImage(device->device, result ? VK_NULL_HANDLE : made, nullptr);
    return result;
  }

  VkPhysicalDeviceExtendedFlagsFeaturesKHR features = {};
  std::optional<Gpu> device;
  VkImageCreateInfo image = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  VkImageUsageFlags2CreateInfoKHR usage = vkStruct<VkImageUsageFlags2CreateInfoKHR>(
      VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR);
  VkImageCreateFlags2CreateInfoKHR flags = vkStruct<VkImageCreateFlags2CreateInfoKHR>(
      VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR);
};
API_TESTS_ON_ALL_DEVICES(ExtendedFlagsApi);

TEST_P(ExtendedFlagsApi, TheStructuresCountAndTheMembersDoNot) {
  allowsMessages = true; // what there is not
  image.pNext = &usage;
  image.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  usage.usage = VK_IMAGE_USAGE_2_SAMPLED_BIT_KHR | VK_IMAGE_USAGE_2_COLOR_ATTACHMENT_BIT_KHR;
  EXPECT_EQ(support(), VK_SUCCESS);
  image.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  usage.usage = VK_IMAGE_USAGE_2_DEPTH_STENCIL_ATTACHMENT_BIT_KHR;
  EXPECT_EQ(support(), VK_ERROR_FORMAT_NOT_SUPPORTED);
  usage.usage = VK_IMAGE_USAGE_2_SAMPLED_BIT_KHR | 1ull << 40;
  EXPECT_EQ(support(), VK_ERROR_FORMAT_NOT_SUPPORTED);

  image.pNext = &flags;
  image.imageType = VK_IMAGE_TYPE_3D;
  image.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  flags.flags = VK_IMAGE_CREATE_2_MUTABLE_FORMAT_BIT_KHR;
  EXPECT_EQ(support(), VK_SUCCESS);
  image.flags = 0;
  flags.flags = VK_IMAGE_CREATE_2_CUBE_COMPATIBLE_BIT_KHR;
  EXPECT_EQ(support(), VK_ERROR_FORMAT_NOT_SUPPORTED);
  flags.flags = 1ull << 32;
  EXPECT_EQ(support(), VK_ERROR_FORMAT_NOT_SUPPORTED);

  // Both, in any order.
  image.imageType = VK_IMAGE_TYPE_2D;
  image.arrayLayers = 6;
  flags.flags = VK_IMAGE_CREATE_2_CUBE_COMPATIBLE_BIT_KHR;
  flags.pNext = &usage;
  image.usage = 0;
  usage.usage = VK_IMAGE_USAGE_2_SAMPLED_BIT_KHR;
  EXPECT_EQ(support(), VK_SUCCESS);
  usage.usage = VK_IMAGE_USAGE_2_DEPTH_STENCIL_ATTACHMENT_BIT_KHR;
  EXPECT_EQ(support(), VK_ERROR_FORMAT_NOT_SUPPORTED);
}

TEST_P(ExtendedFlagsApi, UsageOfStencil) {
  allowsMessages = true;
  image.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
  image.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  auto stencil = vkStruct<VkImageStencilUsage2CreateInfoKHR>(
      VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_2_CREATE_INFO_KHR);
  image.pNext = &stencil;
  stencil.stencilUsage =
      VK_IMAGE_USAGE_2_SAMPLED_BIT_KHR | VK_IMAGE_USAGE_2_DEPTH_STENCIL_ATTACHMENT_BIT_KHR;
  EXPECT_EQ(support(), VK_SUCCESS);
  stencil.stencilUsage = VK_IMAGE_USAGE_2_COLOR_ATTACHMENT_BIT_KHR;
  EXPECT_EQ(support(), VK_ERROR_FORMAT_NOT_SUPPORTED);
  stencil.stencilUsage = 1ull << 33;
  EXPECT_EQ(support(), VK_ERROR_FORMAT_NOT_SUPPORTED);
  image.format = VK_FORMAT_D32_SFLOAT; // ignored without stencil
  EXPECT_EQ(support(), VK_SUCCESS);
}

/// A cube is sampled whose usage and flags, and those of its view, are said so.
TEST_P(ExtendedFlagsApi, SuchImagesAreUsed) {
  image.format = VK_FORMAT_R32_UINT;
  image.arrayLayers = 6;
  image.extent = {1, 1, 1};
  image.usage = 0;
  usage.usage = VK_IMAGE_USAGE_2_SAMPLED_BIT_KHR | VK_IMAGE_USAGE_2_TRANSFER_DST_BIT_KHR;
  flags.flags = VK_IMAGE_CREATE_2_CUBE_COMPATIBLE_BIT_KHR;
  flags.pNext = &usage;
  image.pNext = &flags;
  const Image cube = device->image(image);
  auto viewUsage = vkStruct<VkImageViewUsage2CreateInfoKHR>(
      VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_2_CREATE_INFO_KHR);
  viewUsage.usage = VK_IMAGE_USAGE_2_SAMPLED_BIT_KHR;
  auto viewInfo =
      vkStruct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, &viewUsage);
  viewInfo.image = cube.handle;
  viewInfo.viewType = VK_IMAGE_VIEW_TYPE_CUBE;
  viewInfo.format = image.format;
  viewInfo.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 6};
  VkImageView view = VK_NULL_HANDLE;
  VK_OK(device->vk.CreateImageView(device->device, &viewInfo, nullptr, &view));
  const std::vector<Binding> bindings = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                         {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}};
  VkDescriptorSetLayout setLayout = device->setLayout(bindings);
  VkPipelineLayout layout = device->pipelineLayout({setLayout});
  VkPipeline pipeline = device->pipeline(R"(#version 450
layout(local_size_x = 6) in;
layout(binding = 0) buffer B { uint values[]; };
layout(binding = 1) uniform usamplerCube cube;
void main() {
  uint i = gl_LocalInvocationIndex;
  vec3 direction = vec3(0);
  direction[i / 2] = i % 2 == 0 ? 1 : -1;
  values[i] = textureLod(cube, direction, 0).x;
})",
                                         layout);
  const Buffer buffer = device->buffer(64);
  VkDescriptorSet set = device->set(setLayout, bindings);
  device->write(set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {buffer});
  device->writeImage(set, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, view,
                     device->sampler(VK_FILTER_NEAREST));
  device->run([&](VkCommandBuffer c) {
    for (uint32_t face = 0; face < 6; ++face) {
      const VkClearColorValue value = {.uint32 = {100 + face, 0, 0, 0}};
      const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, face, 1};
      device->vk.CmdClearColorImage(c, cube.handle, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
    }
    device->barrier(c);
    device->vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    device->vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                     nullptr);
    device->vk.CmdDispatch(c, 1, 1, 1);
  });
  for (uint32_t face = 0; face < 6; ++face)
    EXPECT_EQ(buffer.data[face], 100 + face);
  device->vk.DestroyImageView(device->device, view, nullptr);
}

TEST_P(ExtendedFlagsApi, FormatsHaveNoMoreFeatures) {
  auto more = vkStruct<VkFormatProperties4KHR>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_4_KHR);
  more.linearTilingFeatures = more.optimalTilingFeatures = more.bufferFeatures = ~0ull;
  auto format = vkStruct<VkFormatProperties2>(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &more);
  device->vk.GetPhysicalDeviceFormatProperties2(device->physicalDevice, VK_FORMAT_R32_UINT,
                                                &format);
  // No bit of theirs means anything yet.
  EXPECT_EQ(more.linearTilingFeatures | more.optimalTilingFeatures | more.bufferFeatures, 0u);
}

TEST_P(ExtendedFlagsApi, Swapchains) {
  const auto surfaceInfo =
      vkStruct<VkHeadlessSurfaceCreateInfoEXT>(VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT);
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VK_OK(device->vk.CreateHeadlessSurfaceEXT(device->instance, &surfaceInfo, nullptr, &surface));
  auto query = vkStruct<VkPhysicalDeviceSurfaceInfo2KHR>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR);
  query.surface = surface;
  auto capabilities =
      vkStruct<VkSurfaceCapabilities2KHR>(VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR, &usage);
  VK_OK(device->vk.GetPhysicalDeviceSurfaceCapabilities2KHR(device->physicalDevice, &query,
                                                            &capabilities));
  EXPECT_EQ(usage.usage, capabilities.surfaceCapabilities.supportedUsageFlags);
  {
    Frames frames(*device, surface, {8, 8});
    frames.info.pNext = &usage;
    frames.info.imageUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    usage.usage = VK_IMAGE_USAGE_2_TRANSFER_DST_BIT_KHR;
    frames.recreate({8, 8});
    VK_OK(frames.frame({0, 1, 0}));
    usage.usage |= 1ull << 35;
    allowsMessages = true;
    VkSwapchainKHR made = VK_NULL_HANDLE;
    EXPECT_EQ(device->vk.CreateSwapchainKHR(device->device, &frames.info, nullptr, &made),
              VK_ERROR_INITIALIZATION_FAILED);
  }
  device->vk.DestroySurfaceKHR(device->instance, surface, nullptr);
}

} // namespace
} // namespace api
